package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// asCommand finds the tool that is a command of this name. What a truncated answer
// leads to is none: a command's answers are not truncated.
func asCommand(name string) (*tools.Tool, bool) {
	tool, ok := tools.Find(name)
	return tool, ok && !tool.Late
}

// tool calls the tool of the same name, whose arguments are flags and words.
func (p program) tool(ctx context.Context, tool *tools.Tool, s settings) error {
	raw, err := json.Marshal(s.toolArgs)
	if err != nil {
		return err
	}
	if _, err := tool.Validate(raw); err != nil { // before a browser is started for nothing
		if e, ok := errors.AsType[*tools.ValidationError](err); ok {
			for i, problem := range e.Problems {
				e.Problems[i].Field = flagName(problem.Field)
			}
		}
		return &exitError{2, fmt.Errorf("%w\nRun gitnexus-mcp %s --help", err, tool.Name)}
	}
	if err := s.chooseGraph(ctx, tool); err != nil {
		return err
	}
	c, err := p.connect(ctx, s, nil)
	if err != nil {
		return err
	}
	defer c.close()
	result, err := c.call(ctx, tool.Name, s.toolArgs)
	if err != nil {
		return err
	}
	return p.printAnswer(result, s.json)
}

// chooseGraph decides which graph a tool is asked about: the one of --graph, that of
// the folder --repo, which is loaded where it is not; else, with a server that runs,
// the one in front, and without one that of the repository that holds the current folder.
func (s *settings) chooseGraph(ctx context.Context, tool *tools.Tool) error {
	gate, err := s.gate()
	if err != nil {
		return err
	}
	if s.repo == "" && wsbridge.CheckHub(ctx, gate) != nil {
		s.repo = repositoryAbove(".")
	}
	if s.graph != "" && tool.Answer == nil {
		s.toolArgs["repo"] = s.graph
	}
	return nil
}

// repositoryAbove is the nearest folder from here up that git keeps; "" when none does.
func repositoryAbove(folder string) string {
	folder, err := filepath.Abs(folder)
	for err == nil {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return ""
}

// toolRows are a tool's arguments as flags.
func (s *settings) toolRows(tool *tools.Tool) []setting {
	s.toolArgs = map[string]any{}
	var rows []setting
	for i := range tool.Fields {
		f := &tool.Fields[i]
		row := setting{flagName(f.Name), "", argumentName(f), fieldHelp(f), func(v string) error { return s.setArgument(f, v) }}
		rows = append(rows, row)
		if row.flag != f.Name { // the name that agents use
			row.flag = f.Name
			rows = append(rows, row)
		}
	}
	return rows
}

// setArgument takes the value of a flag, or a word. Of a list it is one more item,
// or several with commas.
func (s *settings) setArgument(f *tools.Field, v string) error {
	switch f.Kind {
	case tools.Integer:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return fmt.Errorf("want a whole number, got %q", v)
		}
		s.toolArgs[f.Name] = n
	case tools.Number:
		n, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return fmt.Errorf("want a number, got %q", v)
		}
		s.toolArgs[f.Name] = n
	case tools.Boolean:
		b, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("want true or false, got %q", v)
		}
		s.toolArgs[f.Name] = b
	case tools.Strings:
		list, _ := s.toolArgs[f.Name].([]string)
		s.toolArgs[f.Name] = append(list, strings.Split(v, ",")...)
	default:
		s.toolArgs[f.Name] = v
	}
	return nil
}

// takeWords gives the words of a command line to the required arguments that no
// flag gave, in their order; a list takes all that are left.
func (s *settings) takeWords(tool *tools.Tool, words []string) error {
	for i := range tool.Fields {
		f := &tool.Fields[i]
		if _, given := s.toolArgs[f.Name]; given || !f.Required {
			continue
		}
		n := min(1, len(words))
		if f.Kind == tools.Strings {
			n = len(words)
		}
		for _, word := range words[:n] {
			if err := s.setArgument(f, word); err != nil {
				return &usageError{fmt.Errorf("%s: %w", f.Name, err)}
			}
		}
		words = words[n:]
	}
	if len(words) > 0 {
		return &usageError{fmt.Errorf("%s: unexpected argument %q; put quotes around words that belong together, and see gitnexus-mcp %s --help", tool.Name, words[0], tool.Name)}
	}
	return nil
}

// flagName is the name of an argument as a flag: max-depth for maxDepth.
func flagName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// argumentName stands for the value of a field in a usage text; "" for a switch.
func argumentName(f *tools.Field) string {
	switch {
	case f.Kind == tools.Boolean:
		return ""
	case f.Kind == tools.Strings:
		return "LIST"
	case f.Kind != tools.String:
		return "N"
	case len(f.Enum) > 0:
		return "WORD"
	}
	return "TEXT"
}

func fieldHelp(f *tools.Field) string {
	help := f.Doc
	if len(f.Enum) > 0 {
		help += " One of " + strings.Join(f.Enum, ", ") + "."
	}
	if f.Default != nil {
		help += fmt.Sprintf(" Default: %v.", f.Default)
	}
	return help
}

// toolHelp prints how to use a tool as a command.
func (p program) toolHelp(tool *tools.Tool) {
	words := ""
	for _, f := range tool.Fields {
		if f.Required {
			words += " " + strings.ToUpper(strings.ReplaceAll(flagName(f.Name), "-", "_"))
			if f.Kind == tools.Strings {
				words += "..."
			}
		}
	}
	fmt.Fprintf(p.stdout, "%s\n\nUsage: gitnexus-mcp %s%s [FLAGS]\n\nUse it %s\nNot for %s\n\nExample:\n  %s\n\nFlags:\n", tool.Summary, tool.Name, words, tool.Use, tool.Avoid, exampleOf(tool))
	s := defaults()
	for _, row := range s.commandRows(tool.Name) {
		if row.flag == flagName(row.flag) {
			fmt.Fprintf(p.stdout, "  %-26s %s\n", strings.TrimSpace("--"+row.flag+" "+row.arg), row.help)
		}
	}
	fmt.Fprintf(p.stdout, `  %-26s %s

The server that runs answers; where none does, one is started with a browser without a window.
gitnexus-mcp help has the settings of the server, such as --port.
`, "--repo DIR", "the folder; the git repository that you are in")
}

// exampleOf is the tool's example as a command line.
func exampleOf(tool *tools.Tool) string {
	var args map[string]any
	if err := json.Unmarshal([]byte(tool.Example), &args); err != nil {
		panic(err) // a test of the table has it
	}
	line := "gitnexus-mcp " + tool.Name
	text := func(v any) string {
		if list, ok := v.([]any); ok {
			var items []string
			for _, item := range list {
				items = append(items, fmt.Sprint(item))
			}
			return strings.Join(items, ",")
		}
		return fmt.Sprint(v)
	}
	var flags string
	ahead := true // words come in the order of the fields
	for _, f := range tool.Fields {
		v, given := args[f.Name]
		switch {
		case !given:
			ahead = ahead && !f.Required
		case f.Required && ahead && len(f.Enum) == 0:
			line += " " + shellWord(text(v))
		case v == true:
			flags += " --" + flagName(f.Name)
		case v == false:
			flags += " --" + flagName(f.Name) + "=false"
		default:
			flags += " --" + flagName(f.Name) + " " + shellWord(text(v))
		}
		ahead = ahead && (!f.Required || len(f.Enum) == 0)
	}
	return line + flags
}

// shellWord is a word as a shell takes it.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:,@%+=", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// printAnswer prints what a tool answered: for people, or as one JSON value.
func (p program) printAnswer(result *mcp.CallToolResult, asJSON bool) error {
	for _, content := range result.Content {
		text, ok := content.(mcp.TextContent)
		if !ok {
			continue
		}
		answer := unfenced(text.Text)
		isJSON := json.Valid([]byte(answer))
		var err error
		switch {
		case asJSON && isJSON:
			err = p.printJSON(json.RawMessage(answer))
		case asJSON:
			err = p.printJSON(map[string]string{"text": answer})
		case isJSON:
			_, err = fmt.Fprint(p.stdout, render([]byte(answer), p.colour()))
		default:
			_, err = fmt.Fprintln(p.stdout, sanitize.Text(answer))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// colour tells whether stdout is a terminal that may be given colours.
func (p program) colour() bool {
	file, ok := p.stdout.(*os.File)
	for _, v := range p.environ {
		if strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR=" {
			return false
		}
	}
	return ok && term.IsTerminal(int(file.Fd()))
}

// unfenced takes away the marks that tell a model where a file's text begins and ends.
func unfenced(text string) string {
	rest, ok := strings.CutPrefix(text, "<<")
	mark, body, hasLine := strings.Cut(rest, "\n")
	if !ok || !hasLine {
		return text
	}
	if inner, ok := strings.CutSuffix(body, "\n"+mark+">>"); ok {
		return inner
	}
	return text
}
