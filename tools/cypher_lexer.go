package tools

import (
	"strings"
	"unicode/utf8"
)

// cypherToken is one token of a query. Space and comments are not tokens.
type cypherToken struct {
	kind         cypherKind
	text         string
	line, column int // from 1, in characters
}

type cypherKind int

const (
	cypherWord   cypherKind = iota // a keyword or an unquoted name
	cypherQuoted                   // `a name in backquotes`
	cypherString                   // 'a string' or "a string"
	cypherNumber
	cypherParameter // $name
	cypherSymbol    // one character of punctuation, or ".."
)

// is tells whether the token is that piece of punctuation.
func (t cypherToken) is(symbol string) bool { return t.kind == cypherSymbol && t.text == symbol }

// cypherLexer splits a query as the database does. Where the two might
// disagree about what is text and what is code, the lexer refuses the query:
// a guard that sees other tokens than the database guards nothing.
type cypherLexer struct {
	source       string
	at           int
	line, column int
	tokens       []cypherToken
}

// lexCypher returns the query's tokens, or a *ForbiddenError for a text that
// cannot be split with certainty.
func lexCypher(query string) ([]cypherToken, error) {
	l := &cypherLexer{source: query, line: 1, column: 1}
	for l.at < len(l.source) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return l.tokens, nil
}

func (l *cypherLexer) next() error {
	rest := l.source[l.at:]
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		l.advance(1)
		return nil
	case strings.HasPrefix(rest, "//"):
		return l.lineComment(rest)
	case strings.HasPrefix(rest, "/*"):
		return l.blockComment(rest)
	case c == '\'' || c == '"':
		return l.quotedText(rest, cypherString, `this string has no end`)
	case c == '`':
		return l.quotedText(rest, cypherQuoted, "this name in backquotes has no end")
	case isDigit(c):
		return l.number(rest)
	case isWordStart(c):
		l.emit(cypherWord, wordLength(rest))
		return nil
	case c == '$':
		return l.parameter(rest)
	case strings.HasPrefix(rest, ".."):
		l.emit(cypherSymbol, 2)
		return nil
	case c < 0x20 || c == 0x7f:
		return l.refuse("a control character", "remove it")
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRuneInString(rest)
		// Which of these are letters, and which are space, differs between
		// parsers, and so does where a keyword begins.
		return l.refuse("the character "+string(r)+" outside of a string", "put names with such characters in `backquotes`, and use plain spaces")
	}
	l.emit(cypherSymbol, 1)
	return nil
}

func (l *cypherLexer) lineComment(rest string) error {
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	comment := strings.TrimSuffix(rest[:end], "\r")
	// Other line ends close a comment for some parsers and not for others.
	if strings.ContainsAny(comment, "\r\v\f\u0085\u2028\u2029") || !utf8.ValidString(comment) {
		return l.refuse("a comment with an unusual line end", "end the line with a newline, or leave the comment out")
	}
	l.advance(end)
	return nil
}

func (l *cypherLexer) blockComment(rest string) error {
	end := strings.Index(rest[2:], "*/")
	if end < 0 {
		return l.refuse("a comment", "this comment has no end")
	}
	// Whether comments nest differs between parsers.
	if strings.Contains(rest[2:2+end], "/*") {
		return l.refuse("a comment within a comment", "leave the comment out")
	}
	l.advance(2 + end + 2)
	return nil
}

// quotedText reads a string or a name in backquotes. A doubled quote needs no
// care: the text ends at the same place whether that is one string or two.
func (l *cypherLexer) quotedText(rest string, kind cypherKind, unended string) error {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == rest[0]:
			l.emit(kind, i+1)
			return nil
		case rest[i] == '\\' && kind == cypherString:
			i++
		case rest[i] == 0:
			return l.refuse("a NUL character", "remove it")
		}
	}
	return l.refuse("an opening "+rest[:1], unended)
}

// number reads 1, 1.5 and 1e-3. A number that runs into a letter is refused:
// 0xFSET or 1CREATE may be one token or two.
func (l *cypherLexer) number(rest string) error {
	n := digits(rest)
	if n+1 < len(rest) && rest[n] == '.' && isDigit(rest[n+1]) {
		n += 1 + digits(rest[n+1:])
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		e := n + 1
		if e < len(rest) && (rest[e] == '+' || rest[e] == '-') {
			e++
		}
		if d := digits(rest[e:]); d > 0 {
			n = e + d
		}
	}
	if n < len(rest) && isWordStart(rest[n]) {
		return l.refuse("the number "+rest[:n]+" running into a letter", "write a space between a number and a word, and numbers in decimal")
	}
	l.emit(cypherNumber, n)
	return nil
}

func (l *cypherLexer) parameter(rest string) error {
	if len(rest) < 2 || !isWordStart(rest[1]) {
		return l.refuse("$", "write values as literals; there are no parameters")
	}
	l.emit(cypherParameter, 1+wordLength(rest[1:]))
	return nil
}

func (l *cypherLexer) emit(kind cypherKind, n int) {
	l.tokens = append(l.tokens, cypherToken{kind, l.source[l.at : l.at+n], l.line, l.column})
	l.advance(n)
}

func (l *cypherLexer) advance(n int) {
	for _, r := range l.source[l.at : l.at+n] {
		if r == '\n' {
			l.line, l.column = l.line+1, 1
		} else {
			l.column++
		}
	}
	l.at += n
}

func (l *cypherLexer) refuse(what, reason string) error {
	return &ForbiddenError{Keyword: what, Line: l.line, Column: l.column, Reason: reason}
}

func wordLength(s string) int {
	n := 0
	for n < len(s) && (isWordStart(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
