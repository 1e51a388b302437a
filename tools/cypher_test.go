package tools

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestGuardCypherAdmits(t *testing.T) {
	for _, query := range []string{
		"MATCH (f:Function) WHERE f.name CONTAINS 'create' RETURN f.name",
		"MATCH (n:User) RETURN n.name;",
		"RETURN 'a;b'",
		"RETURN \"it's; CREATE (n)\"",
		`RETURN 'it\'s; CREATE (n)'`,
		"RETURN 'it''s; CREATE (n)'",
		"MATCH (n) RETURN n.set, n.create, n . delete",
		"MATCH (n:Create)-[:CALL|SET|:MERGE]->(m:Delete) RETURN n",
		"RETURN {create: 1, set: 2, `delete`: 3}",
		"MATCH (set)-[call:CodeRelation]->(`CREATE`) WHERE set.name = call.type RETURN set, call",
		"MATCH (set:Function) RETURN count(set)",
		"MATCH (n) RETURN n.name AS set",
		"MATCH (n) RETURN n.name AS load ORDER BY n.name",
		"MATCH (n) RETURN count(n) AS use LIMIT 3",
		"MATCH (n) // CREATE (m)\nRETURN n",
		"MATCH (n) // CREATE (m)\r\nRETURN n",
		"/* SET n.x = 1; */ MATCH (n) RETURN n /* DROP */",
		"MATCH (n) WHERE EXISTS { MATCH (n)-[:CodeRelation]->(m) WHERE m.name <> 'set' } RETURN n",
		"MATCH (n) WHERE COUNT { MATCH (n)-->(m) } > 3 RETURN n.name LIMIT 10",
		"match (n) return n.name skip 1.5e3 limit 10",
		"OPTIONAL MATCH (n) RETURN n UNION ALL MATCH (m) RETURN m",
		"UNWIND [1, 2] AS x WITH x WHERE x > .5 RETURN x",
		"MATCH p = (a)-[:CodeRelation* 1..3]->(b) RETURN length(p)",
		"MATCH (n) WHERE n.name =~ '.*\\\\d;' RETURN n.created, created_set",
		"RETURN 1;;  // done",
		"MATCH (n) WHERE n.name = $set RETURN n",
		"MATCH (`größe`) RETURN 'größe'",
	} {
		if err := GuardCypher(query); err != nil {
			t.Errorf("%s\n  refused: %v", query, err)
		}
	}
}

func TestGuardCypherRefuses(t *testing.T) {
	for _, test := range []struct {
		query, keyword string
		line, column   int
	}{
		{"CREATE (n:User)", "CREATE", 1, 1},
		{"MATCH (n) CREATE (m)", "CREATE", 1, 11},
		{"MATCH (n)\n\tset n.x = 1", "SET", 2, 2},
		{"MATCH (n)CREATE(m)", "CREATE", 1, 10},
		{"MATCH (n)/**/CREATE/**/(m)", "CREATE", 1, 14},
		{"MATCH (n) // x\nMERGE (m)", "MERGE", 2, 1},
		{"MATCH (n) DETACH DELETE n", "DETACH", 1, 11},
		{"MATCH (n) DELETE n", "DELETE", 1, 11},
		{"MATCH (n) DELETE .5", "DELETE", 1, 11},
		{"MATCH (n) REMOVE n.x", "REMOVE", 1, 11},
		{"MATCH (n) WHERE EXISTS { CREATE (m) } RETURN n", "CREATE", 1, 26},
		{"MATCH (n) WHERE COUNT { MATCH (m) SET m.x = 1 } > 1 RETURN n", "SET", 1, 35},
		{"DROP TABLE User", "DROP", 1, 1},
		{"ALTER TABLE User ADD x INT64", "ALTER", 1, 1},
		{"COPY User FROM 'a.csv'", "COPY", 1, 1},
		{"COPY (MATCH (n) RETURN n) TO 'a.csv'", "COPY", 1, 1},
		{"LOAD FROM '/etc/passwd' RETURN *", "LOAD", 1, 1},
		{"MATCH (n) LOAD FROM '/etc/passwd' RETURN *", "LOAD", 1, 11},
		{"LOAD EXTENSION httpfs", "LOAD", 1, 1},
		{"INSTALL httpfs", "INSTALL", 1, 1},
		{"UNINSTALL httpfs", "UNINSTALL", 1, 1},
		{"EXPORT DATABASE 'x'", "EXPORT", 1, 1},
		{"IMPORT DATABASE 'x'", "IMPORT", 1, 1},
		{"ATTACH 'x.db' AS y (dbtype kuzu)", "ATTACH", 1, 1},
		{"DETACH y", "DETACH", 1, 1},
		{"USE y", "USE", 1, 1},
		{"CALL show_tables() RETURN *", "CALL", 1, 1},
		{"MATCH (n) CALL show_tables() RETURN *", "CALL", 1, 11},
		{"CALL threads=5", "CALL", 1, 1},
		{"BEGIN TRANSACTION", "BEGIN", 1, 1},
		{"COMMIT", "COMMIT", 1, 1},
		{"ROLLBACK;", "ROLLBACK", 1, 1},
		{"CHECKPOINT", "CHECKPOINT", 1, 1},
		{"CREATE MACRO f(x) AS x + 1", "CREATE", 1, 1},
		{"COMMENT ON TABLE User IS 'x'", "COMMENT", 1, 1},
		{"EXPLAIN MATCH (n) RETURN n", "EXPLAIN", 1, 1},
		{"PROFILE MATCH (n) RETURN n", "PROFILE", 1, 1},
		{"MATCH (n) FOREACH (x IN [1] | SET n.x = 1)", "FOREACH", 1, 11},
		{"RETURN nextval('s')", "NEXTVAL", 1, 8},
		{"GRAPH x", "GRAPH", 1, 1},
		{"(MATCH (n) RETURN n)", "(", 1, 1},
		// AS and forbidden words may be names themselves.
		{"WITH 1 AS as CREATE (m)", "CREATE", 1, 14},
		{"MATCH (as) WITH as CREATE (m)", "CREATE", 1, 20},
		{"MATCH (as) WITH DISTINCT as CREATE (m)", "CREATE", 1, 29},
		{"MATCH (n) WITH n.as CREATE (m)", "CREATE", 1, 21},
		{"MATCH (n) WITH n, n.x as y SET n.x = 1", "SET", 1, 28},
		{"MATCH (n) WITH n LIMIT 1. CREATE (m)", "CREATE", 1, 27},
		{"MATCH (n) WITH n LIMIT 1.CREATE (m)", "CREATE", 1, 26},
		{"MATCH (n) WITH n..CREATE (m)", "CREATE", 1, 19},
		{"MATCH (n) WITH n...CREATE (m)", "CREATE", 1, 20},
		{"RETURN [x IN [1] | CREATE (n)]", "CREATE", 1, 20},
		{"MATCH (n) RETURN n.x || CREATE (m)", "CREATE", 1, 25},
		// Several statements.
		{"MATCH (n) RETURN n; MATCH (m) RETURN m", "MATCH", 1, 21},
		{"RETURN 1;; RETURN 2", "RETURN", 1, 12},
		{"RETURN 1; 'x'", "'x'", 1, 11},
		// Text that parsers may split differently.
		{"MATCH (n) WITH n LIMIT 1CREATE (m)", "the number 1 running into a letter", 1, 24},
		{"MATCH (n) WITH n LIMIT 0xFSET n.x = 1", "the number 0 running into a letter", 1, 24},
		{"MATCH (n) WITH n LIMIT 1e5SET n.x = 1", "the number 1e5 running into a letter", 1, 24},
		{"RETURN 1 // x \r CREATE (n)", "a comment with an unusual line end", 1, 10},
		{"RETURN 1 // x \u2028 CREATE (n)", "a comment with an unusual line end", 1, 10},
		{"RETURN /* /* */ 1 CREATE (n) */", "a comment within a comment", 1, 8},
		{"RETURN 1 /* ", "a comment", 1, 10},
		{"RETURN 'x", "an opening '", 1, 8},
		{`RETURN 'x\'`, "an opening '", 1, 8},
		{"RETURN `x", "an opening `", 1, 8},
		{"RETURN 1\u00a0CREATE (n)", "the character \u00a0 outside of a string", 1, 9},
		{"MATCH (\u00e9CREATE) RETURN 1", "the character \u00e9 outside of a string", 1, 8},
		{"RETURN $ CREATE (n)", "$", 1, 8},
		{"RETURN $1CREATE (n)", "$", 1, 8},
		{"RETURN 1 \x00", "a control character", 1, 10},
		{" ; ", "", 0, 0},
		{" // nothing", "an empty query", 1, 1},
	} {
		err := GuardCypher(test.query)
		var forbidden *ForbiddenError
		if !errors.As(err, &forbidden) {
			t.Errorf("%q: admitted", test.query)
			continue
		}
		if test.line != 0 && (forbidden.Keyword != test.keyword || forbidden.Line != test.line || forbidden.Column != test.column) {
			t.Errorf("%q: got %q at %d:%d, want %q at %d:%d", test.query,
				forbidden.Keyword, forbidden.Line, forbidden.Column, test.keyword, test.line, test.column)
		}
	}
}

// Every forbidden keyword is refused as a clause, at the start and later.
func TestGuardCypherRefusesEveryKeyword(t *testing.T) {
	for keyword := range cypherForbidden {
		for _, query := range []string{
			keyword + " (n)",
			strings.ToLower(keyword) + " x",
			"MATCH (n) " + keyword + " (m)",
			"MATCH (n) " + keyword + "(m)",
			"MATCH (n) " + keyword + " n.x = 1",
			"MATCH (n) " + keyword + " 'x'",
			"MATCH (n) " + keyword + " `x`",
			"MATCH (n) " + keyword + " {x: 1}",
			"MATCH (n) WHERE EXISTS { " + keyword + " (m) } RETURN n",
			"RETURN 1; " + keyword + " x",
		} {
			if GuardCypher(query) == nil {
				t.Errorf("%s: admitted", query)
			}
		}
	}
}

// FuzzGuardCypher holds the guard to two facts that do not depend on how it is
// written. What it admits has, with its texts taken out by another means, no
// clause keyword followed by what a clause goes on with, and no second
// statement. And whatever stands in a string or in backquotes is admitted.
func FuzzGuardCypher(f *testing.F) {
	for _, seed := range []string{
		"MATCH (n) RETURN n", "CREATE (n)", "MATCH (n) SET n.x = 1", "RETURN 'a;b'", "RETURN {create: 1}",
		"MATCH (n:User) RETURN n; DROP TABLE x", "/* x */ MATCH (n) // y\nRETURN n", "RETURN \"\\\"\" CREATE (m)",
		"RETURN 1CREATE (m)", "WITH 1 AS as CREATE (m)", "MATCH (set)-[call]->() RETURN set.name, call",
		"MATCH (`a``b`) DELETE n", "RETURN '\\\\' SET n.x = 1", "RETURN n.1 SET x", "RETURN 1.CREATE (n)", "RETURN // '\rCREATE (n) //'",
	} {
		f.Add(seed)
	}
	// The oracle: one regular expression for all text, one for a clause.
	text := regexp.MustCompile("(?s)'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`|//[^\\n]*|/\\*.*?\\*/")
	words := make([]string, 0, len(cypherForbidden))
	for w := range cypherForbidden {
		words = append(words, w)
	}
	clause := regexp.MustCompile(`(?i)(^|[^\w.:|$])(` + strings.Join(words, "|") + `)(\s*[({\[\x01$*+-]|\s+\w)`)
	second := regexp.MustCompile(`;[\s;]*[^\s;]`)
	alias := regexp.MustCompile(`(?i)([\x01)\]}\d]|\.\s*\w+)\s*\bAS\s+\w+\b`)

	f.Fuzz(func(t *testing.T, query string) {
		if GuardCypher(query) == nil {
			bare := text.ReplaceAllStringFunc(query, func(s string) string {
				if s[0] == '/' {
					return " "
				}
				return "\x01"
			})
			unaliased := alias.ReplaceAllString(spaced(bare), "$1")
			if m := clause.FindString(unaliased); m != "" {
				t.Errorf("admitted %q, which has the clause %q", query, m)
			}
			if m := second.FindString(bare); m != "" {
				t.Errorf("admitted %q, which has a second statement %q", query, m)
			}
		}
		if !strings.ContainsRune(query, 0) {
			quoted := "RETURN '" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(query) + "'"
			if err := GuardCypher(quoted); err != nil {
				t.Errorf("refused the string %q: %v", quoted, err)
			}
			named := "MATCH (`" + strings.ReplaceAll(query, "`", "``") + "`) RETURN 1"
			if err := GuardCypher(named); err != nil {
				t.Errorf("refused the name %q: %v", named, err)
			}
		}
	})
}

// spaced removes the space that Cypher allows around . and : and | so that the
// oracle can look at one character.
func spaced(s string) string {
	return regexp.MustCompile(`\s*([.:|])\s*`).ReplaceAllString(s, "$1")
}
