package tools

import (
	"fmt"
	"strings"
)

// ForbiddenError says why a Cypher query is refused.
type ForbiddenError struct {
	// Keyword is what was found: a keyword in upper case, or a thing in words.
	Keyword string
	// Line and Column are where, from 1, in characters.
	Line, Column int
	// Reason says what is wrong with it.
	Reason string
}

func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("%s at line %d, column %d: %s", e.Keyword, e.Line, e.Column, e.Reason)
}

// cypherAllowed is what a query may consist of, in words for an agent.
const cypherAllowed = "one statement of MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, UNION, " +
	"and the sub-queries EXISTS { MATCH … } and COUNT { MATCH … }"

// cypherStarts are the clauses that a reading statement begins with. Whatever
// else a dialect lets a statement begin with is not for us.
var cypherStarts = set("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")

// cypherForbidden are the keywords that begin a writing, loading or calling
// clause anywhere in a statement, in Kuzu's dialect and its relatives.
var cypherForbidden = set(
	"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "INSERT", "UPDATE", "FOREACH",
	"DROP", "ALTER", "RENAME", "MACRO", "COMMENT", "TRUNCATE",
	"COPY", "LOAD", "EXPORT", "IMPORT", "ATTACH", "USE", "INSTALL", "UNINSTALL",
	"CALL", "EXECUTE", "PREPARE", "EXPLAIN", "PROFILE",
	"BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT", "GRANT", "REVOKE",
)

// cypherWritingFunctions change the database when they are called.
var cypherWritingFunctions = set("NEXTVAL")

// notAfterClause holds what never follows a keyword that begins a clause: a
// forbidden word before one of these is a variable, a property's owner or a
// map key, in every grammar there is: (set), set.name, {set: 1}, [call], x = set.
var notAfterClause = set(")", "]", "}", ",", ":", "=", "<", ">")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// GuardCypher returns nil for one statement that only reads, and a
// *ForbiddenError for everything else, and for what it cannot be sure of.
//
// It judges tokens, not text: the words of writing clauses are innocent in
// strings, comments and backquotes, as a property (n.set), a label (:Create,
// |CALL), a map key ({create: 1}), and as a variable where what follows rules
// out a clause. Everywhere else they are refused.
func GuardCypher(query string) error {
	tokens, err := lexCypher(query)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		return &ForbiddenError{Keyword: "an empty query", Line: 1, Column: 1, Reason: "there is nothing to run"}
	}
	labels := make([]bool, len(tokens))
	for i, t := range tokens {
		labels[i] = isCypherLabel(tokens, labels, i)
		if t.is(";") {
			if next := afterSemicolons(tokens, i); next < len(tokens) {
				return refuse(tokens[next], "a second statement; send one at a time")
			}
			continue
		}
		if t.kind != cypherWord {
			continue
		}
		word := strings.ToUpper(t.text)
		if cypherForbidden[word] && !labels[i] && !isCypherName(tokens, i) {
			return refuse(t, forbiddenReason(i))
		}
		if cypherWritingFunctions[word] && i+1 < len(tokens) && tokens[i+1].is("(") {
			return refuse(t, "this function changes the database, which is opened for reading")
		}
	}
	if first := tokens[0]; first.kind != cypherWord || !cypherStarts[strings.ToUpper(first.text)] {
		return refuse(first, "a query begins with MATCH, OPTIONAL MATCH, WITH, UNWIND or RETURN")
	}
	return nil
}

func refuse(t cypherToken, reason string) error {
	keyword := t.text
	if t.kind == cypherWord {
		keyword = strings.ToUpper(keyword)
	}
	return &ForbiddenError{Keyword: clip(keyword, 60), Line: t.line, Column: t.column, Reason: reason}
}

func forbiddenReason(at int) string {
	if at == 0 {
		return "this tool only reads the graph"
	}
	return "this tool only reads the graph; if it is meant as a name, put it in `backquotes`"
}

func afterSemicolons(tokens []cypherToken, i int) int {
	for i < len(tokens) && tokens[i].is(";") {
		i++
	}
	return i
}

// isCypherLabel tells whether token i stands where a label, a relation type or
// a map's value does: after a colon, or after a bar that follows a label. No
// clause begins there. labels holds the answers for the tokens before i.
func isCypherLabel(tokens []cypherToken, labels []bool, i int) bool {
	if t := tokens[i]; t.kind != cypherWord && t.kind != cypherQuoted || i < 2 {
		return false
	}
	before := tokens[i-1]
	return before.is(":") || before.is("|") && labels[i-2]
}

// isCypherName tells whether the forbidden word at i can only be a name.
func isCypherName(tokens []cypherToken, i int) bool {
	if i == 0 {
		return false
	}
	if i >= 2 && tokens[i-1].is(".") && isCypherOperand(tokens[i-2]) {
		return true
	}
	if i+1 == len(tokens) || tokens[i+1].is(";") {
		// A clause that needs nothing after it is a statement of its own, and
		// cannot stand behind a reading one.
		return true
	}
	if isCypherAlias(tokens, i) {
		return true
	}
	next := tokens[i+1]
	if next.is(".") { // not ".5"
		return i+2 < len(tokens) && (tokens[i+2].kind == cypherWord || tokens[i+2].kind == cypherQuoted || tokens[i+2].is("*"))
	}
	return next.kind == cypherSymbol && notAfterClause[next.text]
}

// isCypherAlias tells whether token i follows the keyword AS. AS may be a name
// itself, as in WITH as CREATE (n), so what stands before it must be the end of
// a value that no name can follow: f(x), n.name, 'text', 1.
func isCypherAlias(tokens []cypherToken, i int) bool {
	if i < 2 || tokens[i-1].kind != cypherWord || !strings.EqualFold(tokens[i-1].text, "AS") {
		return false
	}
	switch value := tokens[i-2]; value.kind {
	case cypherQuoted, cypherString, cypherNumber:
		return true
	case cypherWord:
		return i >= 4 && tokens[i-3].is(".") && isCypherOperand(tokens[i-4])
	default:
		return value.is(")") || value.is("]") || value.is("}")
	}
}

// isCypherOperand tells whether a property may be taken of the token. A number
// is left out: "1." may be one token or two.
func isCypherOperand(t cypherToken) bool {
	switch t.kind {
	case cypherWord, cypherQuoted, cypherParameter, cypherString:
		return true
	}
	return t.is(")") || t.is("]") || t.is("}")
}
