package tools

import (
	"regexp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// How an argument names a symbol, in every tool that takes one.
const symbolNames = "`name`, `Type.method`, `pkg.Func`, `file:name`, `file:line`, a stack-trace line or an id."

// EdgeTypes are the values of `type` on the graph's one relation, CodeRelation.
var EdgeTypes = []string{
	"CALLS", "REFERENCES", "HANDLES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS",
}

// SymbolKinds are the kinds of nodes that search finds.
var SymbolKinds = []string{
	"File", "Function", "Method", "Class", "Interface", "Struct", "Enum", "TypeAlias", "Module", "Variable", "Route",
}

// colorField is the colour of what is shown.
var colorField = Field{Name: "color", Kind: String, Max: 20,
	Pattern:    regexp.MustCompile(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{3,20})$`),
	PatternDoc: `a colour like "#e11d48" or "orange"`,
	Doc:        "#rrggbb or a CSS name."}

// Which part of its lists an answer has.
var (
	pathField   = Field{Name: "path", Kind: String, Min: 1, Max: 1000, Doc: "Glob of files: `src/**`."}
	offsetField = Field{Name: "offset", Kind: Integer, Min: 0, Max: 1_000_000, Doc: "Skips these."}
	limitField  = Field{Name: "limit", Kind: Integer, Min: 1, Max: 500, Doc: "Length of lists."}
)

// lastIndex is the baseline of diff that no revision is needed for. revision are
// names of commits, also of those before them, without what names a file or
// searches; repo has the same.
const lastIndex = "last_index"

var revision = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/+~^-]*(@\{[A-Za-z0-9-]+\}[~^0-9]*)?$`)

// maxLine bounds line numbers: far above any file, far below where a
// JavaScript number loses digits.
const maxLine = 10_000_000

// Table holds every tool there is.
var Table = []Tool{
	{
		Name:     "context",
		Title:    "What is loaded",
		Summary:  "Tells which repository is loaded: figures, languages, most connected symbols, folder tree, tools, graph schema.",
		Use:      "to see what there is; with focus \"schema\" before a Cypher query.",
		Avoid:    "finding one thing: use search or grep.",
		Example:  `{"focus":"hotspots"}`,
		Returns:  "repo, indexedAt, and the section asked for, or all in short.",
		Narrower: "name one focus",
		Fields: []Field{
			{Name: "focus", Kind: String, Enum: []string{"stats", "hotspots", "structure", "tools", "schema"},
				Doc: "Only this section, in full."},
			pathField, offsetField,
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "search",
		Lean:     true,
		Title:    "Search symbols",
		Summary:  "Finds functions, classes, methods and files by name or by what they are about, best first.",
		Use:      "when you know a name or topic but not the file.",
		Avoid:    "text inside files: use grep. Who calls what: use impact.",
		Example:  `{"query":"password reset token","limit":5}`,
		Returns:  "results with id, lines, signature, doc, connections; their groups (processes) and clusters; others: the next ones, name:line by file.",
		Narrower: "a smaller limit, or a more specific query",
		Fields: []Field{
			{Name: "query", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A name or words. An exact name comes first."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(10),
				Doc: "The most symbols."},
			{Name: "kind", Kind: String, Enum: SymbolKinds, Doc: "Only this kind."},
			{Name: "tests", Kind: String, Enum: []string{"last", "none", "only"}, Doc: "Tests come last."},
			pathField, offsetField,
			{Name: "groupByProcess", Kind: Boolean, Default: true,
				Doc: "false: each symbol names its processes."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "grep",
		Title:    "Search text",
		Summary:  "Finds lines in the repository's files that match a regular expression.",
		Use:      "for exact text: literals, messages, configuration keys.",
		Avoid:    "topics: use search. Callers: use impact.",
		Example:  `{"pattern":"TODO|FIXME","maxResults":20}`,
		Returns:  "lines with path, number and the symbol they stand in; or a list of files or counts; total and files.",
		Narrower: "a smaller maxResults, or a more specific pattern without nested repetition",
		Fields: []Field{
			{Name: "pattern", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A JavaScript regular expression for one line."},
			pathField,
			{Name: "context", Kind: Integer, Min: 0, Max: 10, Doc: "Lines around each match."},
			{Name: "output", Kind: String, Enum: []string{"lines", "files", "count"}, Doc: "files: paths alone. count: matches in each."},
			{Name: "caseSensitive", Kind: Boolean, Default: true,
				Doc: "false: any case."},
			{Name: "maxResults", Kind: Integer, Min: 1, Max: 500, Default: int64(50),
				Doc: "The most lines or files."},
			offsetField,
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "read",
		Lean:     true,
		Title:    "Read a file",
		Summary:  "Reads files, ranges of lines and symbols, several in one call, or their signatures alone.",
		Use:      "to see code that another answer named.",
		Avoid:    "all about one symbol or file: deep_dive, review_file.",
		Example:  `{"filePath":"src/server/auth.ts:40-90, SessionStore.renew"}`,
		Returns:  "the lines, numbered, with path and totalLines.",
		Narrower: "ranges of lines, or outline",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A path or its end, `path:from-to`, or a symbol's name; several with commas."},
			{Name: "outline", Kind: Boolean, Doc: "Signatures alone."},
			{Name: "startLine", Kind: Integer, Min: 1, Max: maxLine,
				Doc: "First line, from 1."},
			{Name: "endLine", Kind: Integer, Min: 1, Max: maxLine,
				Doc: "Last line, included."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
		Check: func(a Arguments) []Problem {
			start, end := a.Int("startLine"), a.Int("endLine")
			if start == 0 || end == 0 || start <= end {
				return nil
			}
			return []Problem{{
				Field:    "endLine",
				Expected: "a line that is not before startLine (" + number(float64(start)) + ")",
				Got:      number(float64(end)),
			}}
		},
	},
	{
		Name:     "overview",
		Title:    "Map of the code",
		Summary:  "Shows the big parts of the code: clusters of symbols that belong together, the calls between them, and processes, the flows of calls from where control enters.",
		Use:      "to learn the architecture.",
		Avoid:    "one symbol: use explore or impact.",
		Example:  `{"limit":10}`,
		Returns:  "clusters and processes as rows under `columns`; crossCluster as \"from → to: calls\". explore takes the ids.",
		Narrower: "a smaller limit, or only one of showProcesses and showClusters",
		Fields: []Field{
			{Name: "showProcesses", Kind: Boolean, Default: true, Doc: "Lists the processes."},
			{Name: "showClusters", Kind: Boolean, Default: true, Doc: "Lists the clusters."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(20), Doc: "The most of each."},
			pathField, offsetField,
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "highlight",
		Unlisted: true,
		Title:    "Point at nodes",
		Summary:  "Highlights nodes in the graph that the user is looking at.",
		Use:      "to show the user what you are talking about. An empty list clears it.",
		Avoid:    "reading anything: it only changes the picture, never the code.",
		Example:  `{"nodeIds":["Function:src/server/auth.ts:login"],"color":"#e11d48"}`,
		Returns:  "what was highlighted, and notFound: the names that mean none or several, with candidates.",
		Narrower: "fewer nodeIds",
		Fields: []Field{
			{Name: "nodeIds", Kind: Strings, Required: true, Max: 1000,
				Doc: "Node ids; a cluster's stands for its members, a process's for its steps."},
			colorField,
		},
		Class: resilience.Quick, ReadOnly: false, Idempotent: true,
	},
	{
		Name:  "cypher",
		Title: "Query the graph",
		Summary: "Runs one read-only Cypher query against the code graph. Nodes: File, Folder, Function, Class, Method, Variable, Community, Process and more. " +
			"One relation, CodeRelation, with `type` (CALLS, REFERENCES, IMPORTS and more) and `confidence` from 0 to 1.",
		Use:      "for what no other tool answers: counts, joins, patterns. See context with focus \"schema\" first, and put a LIMIT on it.",
		Avoid:    "what other tools do. It cannot write or CALL.",
		Example:  `{"query":"MATCH (a:Function)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 10"}`,
		Returns:  "columns, rows, totalRows.",
		Narrower: "a LIMIT, fewer returned columns, named labels and relation types, bounded paths",
		Fields: []Field{
			{Name: "query", Kind: String, Required: true, Min: 1, Max: 20_000,
				Doc: "One statement of Kuzu's Cypher dialect, with literals for values."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
		Guard: func(a Arguments) error { return GuardCypher(a.String("query")) },
	},
	{
		Name:     "impact",
		Lean:     true,
		Title:    "What depends on it",
		Summary:  "Shows what a change of a symbol or file reaches: who depends on it, step by step, or what it depends on, with lines and a risk.",
		Use:      "before changing, renaming or deleting something, and to find every caller.",
		Avoid:    "one you will read, too: deep_dive has its code and two steps.",
		Example:  `{"target":"auth.ts:login","direction":"upstream","maxDepth":2}`,
		Returns:  "risk (unknown if dependents may be missing); by depth: items with edge, `sites` (lines there) and confidence where in doubt, others by file as name:sites; beyond: more, a step on; leftOut: possible dependents and tests; processes, clusters.",
		Narrower: "a smaller maxDepth, fewer relationTypes, or a higher minConfidence",
		Fields: []Field{
			{Name: "target", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol: " + symbolNames + " Or a file's path. Several with commas."},
			{Name: "direction", Kind: String, Required: true, Enum: []string{"upstream", "downstream"},
				Doc: "upstream: who depends on it."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 20, Default: int64(3),
				Doc: "Steps away; 1 is direct."},
			{Name: "relationTypes", Kind: Strings, Min: 1, Max: float64(len(EdgeTypes)), Enum: EdgeTypes,
				Doc: "The first five, unless given."},
			{Name: "includeTests", Kind: Boolean, Default: false, Doc: "Tests, too."},
			{Name: "minConfidence", Kind: Number, Min: 0, Max: 1, Default: 0.7,
				Doc: "0.5 adds possible calls, 0 guesses by name."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "explore",
		Lean:     true,
		Title:    "Look at one thing",
		Summary:  "Answers a question about the code, in words or names: the symbols that matter with their code, callers, callees and the ways between them, the most telling first. With type: one symbol, cluster or process.",
		Use:      "first, for anything about how the code works; one call is often all.",
		Avoid:    "one symbol you are about to change: deep_dive. All dependents: impact.",
		Example:  `{"name":"how is a session renewed?","budget":4000}`,
		Returns:  "symbols with code and what is around them, flows, and the ids of what did not fit. With type: members, callers, callees, processes, tests or steps.",
		Narrower: "a more specific name",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A question, words or names with commas; with type a symbol's name, a label or id."},
			{Name: "type", Kind: String, Enum: []string{"symbol", "cluster", "process"},
				Doc: "What the name names."},
			{Name: "budget", Kind: Integer, Min: 300, Max: 50_000, Doc: "Tokens of an answer without type: 6000."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "diff",
		Title:    "What changed",
		Summary:  "Tells what changed in the folder since it was loaded, or since a revision of git: files, and in each the symbols that are new, different or gone.",
		Use:      "to see edits as symbols. Other tools answer for the code as it is now.",
		Avoid:    "who changed it: use git.",
		Example:  `{"baseline":"main","filter":"modified","includeContent":true}`,
		Returns:  "since, total by change, files with symbols modified, added and removed, renamedFrom; with includeContent unified hunks.",
		Narrower: "a filter or path, or without includeContent",
		Fields: []Field{
			{Name: "baseline", Kind: String, Default: lastIndex, Min: 1, Max: 200, Pattern: revision,
				PatternDoc: "last_index or the name of a git commit, like main, HEAD~2 or v1.4",
				Doc:        "Or a commit: `main`, `HEAD~2`."},
			{Name: "filter", Kind: String, Enum: []string{"all", "added", "modified", "deleted", "renamed"}, Default: "all",
				Doc: "Only these."},
			{Name: "includeContent", Kind: Boolean, Default: false,
				Doc: "Adds the hunks."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "graph_action",
		Title:    "Change the view",
		Summary:  "Guides the user through the graph: highlights nodes, moves to them, labels them, or puts all back.",
		Use:      "to show the user what you explain.",
		Avoid:    "reading anything: it changes only the picture.",
		Example:  `{"action":"annotate","nodeIds":["Function:src/server/auth.ts:login"],"label":"starts here"}`,
		Returns:  "the nodes shown; notFound, with candidates.",
		Narrower: "fewer nodeIds",
		Fields: []Field{
			{Name: "action", Kind: String, Required: true, Enum: []string{"highlight", "focus", "annotate", "reset"},
				Doc: "focus moves to nodes; annotate writes label at them."},
			{Name: "nodeIds", Kind: Strings, Max: 1000,
				Doc: "Node ids, also of clusters and processes."},
			colorField,
			{Name: "label", Kind: String, Min: 1, Max: 80, Doc: "For annotate: a few words."},
		},
		// Each action says how the view is to be, so it can be done twice.
		Class: resilience.Quick, ReadOnly: false, Idempotent: true,
		Check: func(a Arguments) []Problem {
			var problems []Problem
			action := a.String("action")
			if action != "reset" && len(a.Strings("nodeIds")) == 0 {
				problems = append(problems, Problem{Field: "nodeIds", Expected: "at least one node id for " + action, Got: "nothing"})
			}
			if action == "annotate" && a.String("label") == "" {
				problems = append(problems, Problem{Field: "label", Expected: "the text to write at the nodes", Got: "nothing"})
			}
			return problems
		},
	},
	{
		Name:     "deep_dive",
		Title:    "All about one symbol",
		Summary:  "Gives all about a symbol in one call: code, who depends on it and where, what it calls, processes, tests, and the risk of a change.",
		Use:      "to understand or change a symbol.",
		Avoid:    "a file: review_file. Dependents beyond two steps: impact.",
		Example:  `{"name":"SessionStore.renew"}`,
		Returns:  "risk, dependents by depth, callees, references, bases, tests, and numbered code.",
		Narrower: "explore, impact or read for the one part that you need",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol, named as in impact. Several with commas."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "review_file",
		Title:    "Review a file",
		Summary:  "Gives all about a file in one call: symbols, the hot ones first, what it uses and who uses it, tests, clusters, processes, text.",
		Use:      "to review or understand a file.",
		Avoid:    "one symbol: deep_dive. Text alone: read.",
		Example:  `{"filePath":"src/server/auth.ts"}`,
		Returns:  "symbols as rows (complexity counts branches), what uses it and what it uses, and numbered text.",
		Narrower: "read with a range of lines, or explore",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A path or its end."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "trace_flow",
		Title:    "How control gets there",
		Summary:  "Finds the shortest path of calls from one symbol to another, or the processes through one, with the code of each call.",
		Use:      "to see how control gets somewhere.",
		Avoid:    "all callers: use impact.",
		Example:  `{"from":"handleRequest","to":"Database.query"}`,
		Returns:  "with to: each step with code, or found: false and what is known at both ends. Without to: the processes, two in full.",
		Narrower: "a to, or a smaller maxSteps",
		Fields: []Field{
			{Name: "from", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Where the path begins: a symbol, or a file or type for all in it."},
			{Name: "to", Kind: String, Min: 1, Max: 1000,
				Doc: "Where it ends."},
			{Name: "maxSteps", Kind: Integer, Min: 1, Max: 20, Default: int64(10),
				Doc: "The most calls."},
			offsetField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "find_similar",
		Title:    "What is built like it",
		Summary:  "Finds symbols built like one: with the same callees, callers, members, bases, names or parameters.",
		Use:      "to find duplicates, or an example to follow.",
		Avoid:    "names or topics: use search.",
		Example:  `{"name":"parseInvoice","limit":3}`,
		Returns:  "similar: id, line, similarity from 0 to 1 and why.",
		Narrower: "a smaller limit",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 20, Default: int64(5), Doc: "The most symbols."},
			pathField, offsetField,
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "test_impact",
		Lean:     true,
		Title:    "Which tests to run",
		Summary:  "Says what a change of some files reaches, how risky it is, and which tests to run.",
		Use:      "with the files of a change or a plan.",
		Avoid:    "one symbol: deep_dive or impact.",
		Example:  `{"changedFiles":["src/server/auth.ts","session.ts"]}`,
		Returns:  "risk from 0 to 100; affected files by depth; tests by why, with names; run: the commands for just them; untested files.",
		Narrower: "fewer changedFiles, or a smaller maxDepth",
		Fields: []Field{
			{Name: "changedFiles", Kind: Strings, Required: true, Min: 1, Max: 500,
				Doc: "Paths from the repository's root, or their ends."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 5, Default: int64(2), Doc: "Steps away."},
			{Name: "suggestTests", Kind: Boolean, Default: true, Doc: "Lists the tests to run."},
			pathField, offsetField, limitField,
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "list_repos",
		Title:    "Which graphs are there",
		Summary:  "Lists the code bases that the connected pages hold, with their figures and age, and which one is in front.",
		Use:      "to choose repo, which every tool takes.",
		Avoid:    "what is in one of them: use context.",
		Example:  `{}`,
		Returns:  "repos, the one in front first.",
		Narrower: "a repo",
		Class:    resilience.Quick, ReadOnly: true, Idempotent: true,
		Answer: answerListRepos,
	},
	{
		Name:     "read_result",
		Late:     true,
		Title:    "Read on in a large answer",
		Summary:  "Reads one page of an answer that was too large for one message.",
		Use:      "when an answer says truncated and the rest of it is wanted: its head is page 1.",
		Avoid:    "answers of which less would do: ask again, narrower.",
		Example:  `{"id":"MZXW6YTBOI2DGNBVGY3TQOJQGE","page":2}`,
		Returns:  "a line that says which page it is and what comes next, then the page.",
		Narrower: "another page",
		Fields: []Field{
			{Name: "id", Kind: String, Required: true, Min: 1, Max: 100, Doc: "Of the answer, which names it."},
			{Name: "page", Kind: Integer, Required: true, Min: 1, Max: 10_000_000, Doc: "From 1."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
		Answer: answerReadResult,
	},
}
