package tools

import (
	"regexp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// How an argument names a symbol, in every tool that takes one.
const symbolNames = "`name`, `Type.method`, `module.name`, `file:name`, `file:line` or a node id."

// EdgeTypes are the values of `type` on the graph's one relation, CodeRelation.
var EdgeTypes = []string{
	"CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS",
}

// colorField is the colour of what is shown.
var colorField = Field{Name: "color", Kind: String, Max: 20,
	Pattern:    regexp.MustCompile(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{3,20})$`),
	PatternDoc: `a colour like "#e11d48" or "orange"`,
	Doc:        "Hexadecimal, or a CSS colour name."}

// maxLine bounds line numbers: far above any file, far below where a
// JavaScript number loses digits.
const maxLine = 10_000_000

// Table holds every tool there is.
var Table = []Tool{
	{
		Name:     "context",
		Title:    "What is loaded",
		Summary:  "Tells which repository is loaded: figures, languages, most connected symbols, folder tree, tools, graph schema.",
		Use:      "first, before any other tool; with focus \"schema\" before writing a Cypher query.",
		Avoid:    "finding one thing: use search or grep.",
		Example:  `{"focus":"hotspots"}`,
		Returns:  "repo, indexedAt, and the section asked for, or all of them in short.",
		Narrower: "name one focus",
		Fields: []Field{
			{Name: "focus", Kind: String, Enum: []string{"stats", "hotspots", "structure", "tools", "schema"},
				Doc: "Only this section, in full."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "search",
		Title:    "Search symbols",
		Summary:  "Finds functions, classes, methods and files by name or by what they are about, in names, signatures, paths and doc comments, best match first.",
		Use:      "when you know a name or a topic but not the file.",
		Avoid:    "text inside files: use grep. Not for who calls what: use impact or explore.",
		Example:  `{"query":"password reset token","limit":5}`,
		Returns:  "results, the best first, each with id, lines, cluster, connections and score; groups: the processes they are steps of, with their ranks; total, and `truncated` when there were more.",
		Narrower: "a smaller limit, or a more specific query",
		Fields: []Field{
			{Name: "query", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A symbol name or words; camelCase is split, forms of a word are one. An exact name comes first, tests after code unless a word asks for tests."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(10),
				Doc: "The most symbols to return."},
			{Name: "groupByProcess", Kind: Boolean, Default: true,
				Doc: "Tells each process once. false: each symbol names its own."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "grep",
		Title:    "Search text",
		Summary:  "Finds lines in the repository's files that match a regular expression.",
		Use:      "for exact text: literals, error messages, configuration keys, uses of a variable.",
		Avoid:    "symbols by topic: use search. Not for callers: use impact, which knows scopes.",
		Example:  `{"pattern":"TODO|FIXME","maxResults":20}`,
		Returns:  "matches with file, line, text and what matched; total, files, and `truncated` when there were more.",
		Narrower: "a smaller maxResults, or a more specific pattern without nested repetition",
		Fields: []Field{
			{Name: "pattern", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A JavaScript regular expression, matched line by line. Escape . ( ) [ ] { } * + ? ^ $ | \\ to mean the characters."},
			{Name: "caseSensitive", Kind: Boolean, Default: false,
				Doc: "Whether upper and lower case differ."},
			{Name: "maxResults", Kind: Integer, Min: 1, Max: 500, Default: int64(50),
				Doc: "The most matches to return."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "read",
		Title:    "Read a file",
		Summary:  "Reads a file of the loaded repository, whole or some of its lines.",
		Use:      "to see code that another answer named; pass its lines.",
		Avoid:    "one symbol or a review of a file: deep_dive and review_file have their text.",
		Example:  `{"filePath":"src/server/auth.ts","startLine":40,"endLine":90}`,
		Returns:  "content, the lines it covers, and totalLines.",
		Narrower: "startLine and endLine around the part you need",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Path from the repository's root, or its end: `server/auth.ts`."},
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
		Summary:  "Shows the big parts of the code: clusters of symbols that belong together, how often they call each other, and processes, the flows of calls from where control enters.",
		Use:      "to learn the architecture, or to find the names that explore takes.",
		Avoid:    "one symbol: use explore or impact.",
		Example:  `{"limit":10}`,
		Returns:  "clusters and processes as rows under `columns`, the largest and most telling first; crossCluster as \"from → to: calls\". explore takes the ids.",
		Narrower: "a smaller limit, or only one of showProcesses and showClusters",
		Fields: []Field{
			{Name: "showProcesses", Kind: Boolean, Default: true, Doc: "Lists the processes."},
			{Name: "showClusters", Kind: Boolean, Default: true, Doc: "Lists the clusters."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(20), Doc: "The most entries of each kind."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "highlight",
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
		Summary: "Runs one read-only Cypher query against the code graph. Nodes: File, Folder, Function, Class, Interface, Method, Struct, Enum, TypeAlias, Module, Variable, Community, Process. " +
			"One relation, CodeRelation, with `type` (CALLS, IMPORTS, EXTENDS, IMPLEMENTS, CONTAINS, DEFINES, MEMBER_OF, STEP_IN_PROCESS) and `confidence` from 0 to 1.",
		Use:      "for what no other tool answers: counts, joins, patterns. Ask context with focus \"schema\" for the properties first, and put a LIMIT on it.",
		Avoid:    "what search, impact, explore and trace_flow do. It cannot write or CALL.",
		Example:  `{"query":"MATCH (a:Function)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 10"}`,
		Returns:  "columns, rows, totalRows, and `truncated` when there were more.",
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
		Title:    "What depends on it",
		Summary:  "Shows what a change of one symbol or file reaches: who depends on it, step by step (upstream), or what it depends on (downstream), with the lines of the calls and a risk.",
		Use:      "before changing, renaming or deleting something, and to find every caller.",
		Avoid:    "a symbol you are about to read or change: deep_dive has its dependents up to two steps, and its code.",
		Example:  `{"target":"auth.ts:login","direction":"upstream","maxDepth":2}`,
		Returns:  "risk with its reasons; by depth: items with id, line, edge, `sites` (the lines of its calls or imports, in the dependent's file) and confidence where there is doubt, others by file as name:sites, files that depend as a whole as path:sites; processes and clusters touched; note: what was left out.",
		Narrower: "a smaller maxDepth, fewer relationTypes, or a higher minConfidence",
		Fields: []Field{
			{Name: "target", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol: " + symbolNames + " Or a file's path."},
			{Name: "direction", Kind: String, Required: true, Enum: []string{"upstream", "downstream"},
				Doc: "upstream: who depends on it."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 10, Default: int64(3),
				Doc: "Steps away; 1 is direct."},
			{Name: "relationTypes", Kind: Strings, Min: 1, Max: float64(len(EdgeTypes)), Enum: EdgeTypes,
				Doc: "Only edges of these types. Without it: CALLS, IMPORTS, EXTENDS, IMPLEMENTS."},
			{Name: "includeTests", Kind: Boolean, Default: false, Doc: "Tests, too."},
			{Name: "minConfidence", Kind: Number, Min: 0, Max: 1, Default: 0.7,
				Doc: "0.5 adds possible targets of dynamic calls, 0 guesses by name."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "explore",
		Title:    "Look at one thing",
		Summary:  "Describes one symbol, cluster or process: its members, callers and callees, and the processes it is in.",
		Use:      "for a cluster or process that overview named, or a symbol without its code.",
		Avoid:    "a symbol you are about to read or change: deep_dive has more in one call. Not for dependents of dependents: use impact.",
		Example:  `{"name":"SessionStore.renew","type":"symbol"}`,
		Returns:  "for a symbol its place, signature, members, cluster, processes, callers and callees with `sites` (the lines of the calls, in the caller's file), tests; for a cluster its files, members, entry points and neighbours; for a process its steps.",
		Narrower: "a more specific name",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A symbol: " + symbolNames + " A cluster or process: its label or id."},
			{Name: "type", Kind: String, Required: true, Enum: []string{"symbol", "cluster", "process"},
				Doc: "What the name names."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "diff",
		Title:    "What changed",
		Summary:  "Tells what changed in the folder since the repository was loaded: files added, modified and deleted, and in each the symbols that are new, different or gone.",
		Use:      "to see your own or the user's edits as symbols, before test_impact. The graph follows the folder: other tools answer for the code as it is now.",
		Avoid:    "the history before that: use git.",
		Example:  `{"filter":"modified"}`,
		Returns:  "since, total by kind, and files: change, the lines between which it differs, symbols modified, added and removed, renamedFrom where only the path is another; with includeContent the text before and after.",
		Narrower: "a filter, or without includeContent",
		Fields: []Field{
			{Name: "baseline", Kind: String, Enum: []string{"last_index"}, Default: "last_index",
				Doc: "The repository as it was loaded."},
			{Name: "filter", Kind: String, Enum: []string{"all", "added", "modified", "deleted"}, Default: "all",
				Doc: "Only files with this change."},
			{Name: "includeContent", Kind: Boolean, Default: false,
				Doc: "Adds what changed, 60 lines each at most."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "graph_action",
		Title:    "Change the view",
		Summary:  "Guides the user through the graph: highlights nodes, moves the view to them, writes a label at them, or puts everything back.",
		Use:      "to show the user what you explain. It replaces highlight.",
		Avoid:    "reading anything: it only changes the picture, never the code.",
		Example:  `{"action":"annotate","nodeIds":["Function:src/server/auth.ts:login"],"label":"starts here"}`,
		Returns:  "the nodes that are highlighted, focused or annotated now; notDrawn: those that the picture leaves out; notFound: the names that mean none or several, with candidates.",
		Narrower: "fewer nodeIds",
		Fields: []Field{
			{Name: "action", Kind: String, Required: true, Enum: []string{"highlight", "focus", "annotate", "reset"},
				Doc: "highlight: points at nodes instead of those before. focus: moves the view to them, and shows the code of one alone. annotate: writes label at them. reset: shows the whole graph without any of it."},
			{Name: "nodeIds", Kind: Strings, Max: 1000,
				Doc: "Node ids; a cluster's stands for its members, a process's for its steps. All actions but reset need some."},
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
		Summary:  "Gives everything about one symbol in one call: its code, who depends on it and at which lines, what it calls, its processes, the tests that reach it, and the risk of changing it.",
		Use:      "to understand or change a symbol; it replaces explore, impact and read of it.",
		Avoid:    "a file: use review_file. Not for dependents further than two steps away: use impact.",
		Example:  `{"name":"SessionStore.renew"}`,
		Returns:  "risk, code (120 lines at most; shownTo where there is more), dependents by depth as impact has them, callees, members outside of that code, bases, processes, and test files with the number of their tests that reach it.",
		Narrower: "explore, impact or read for the one part that you need",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol: " + symbolNames},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "review_file",
		Title:    "Review a file",
		Summary:  "Gives everything about one file in one call: its symbols, the hot ones first, what it uses and who uses it, its tests, clusters and processes, and its text.",
		Use:      "to review or to understand a file; it replaces read, explore and impact of it.",
		Avoid:    "one symbol: use deep_dive. Not for the text alone: use read.",
		Example:  `{"filePath":"src/server/auth.ts"}`,
		Returns:  "symbols as rows under `columns` (file:name is the name that other tools take; complexity counts branches); importedBy, tests and imports with the number of calls; content, 14 KB at most, and shownTo where there is more.",
		Narrower: "read with a range of lines, or explore",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Path from the repository's root, or its end: `server/auth.ts`."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "trace_flow",
		Title:    "How control gets there",
		Summary:  "Finds the shortest path of calls from one symbol to another, or the processes through one, with the code of each call.",
		Use:      "to see how control gets from one place to another, or to a function at all; it replaces explore of each step and read.",
		Avoid:    "all callers: use impact.",
		Example:  `{"from":"handleRequest","to":"Database.query"}`,
		Returns:  "with to: path, each step with id and code (its head and the lines of the next call, numbered); found is false where there is none, and note says what there is instead. Without to: the processes through from, two in full (asBefore: that many steps are those of the first).",
		Narrower: "a to, or a smaller maxSteps",
		Fields: []Field{
			{Name: "from", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Where the path begins: " + symbolNames + " A file or type stands for all in it."},
			{Name: "to", Kind: String, Min: 1, Max: 1000,
				Doc: "Where it ends."},
			{Name: "maxSteps", Kind: Integer, Min: 1, Max: 20, Default: int64(10),
				Doc: "The most calls."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "find_similar",
		Title:    "What is built like it",
		Summary:  "Finds symbols that are built like one: with the same callees, callers, members, bases, names or parameters.",
		Use:      "to find duplicates, other implementations of an idea, or an example to follow.",
		Avoid:    "names or topics: use search.",
		Example:  `{"name":"parseInvoice","limit":3}`,
		Returns:  "similar: id, line, similarity from 0 to 1 and why, the most similar first; more: how many were left out.",
		Narrower: "a smaller limit",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol: " + symbolNames},
			{Name: "limit", Kind: Integer, Min: 1, Max: 20, Default: int64(5), Doc: "The most symbols to return."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "test_impact",
		Title:    "Which tests to run",
		Summary:  "Says what a change of some files reaches, how risky it is, and which tests to run.",
		Use:      "with the files of a change or a plan; it replaces impact of each of them.",
		Avoid:    "one symbol: use deep_dive or impact, which tell calls line by line.",
		Example:  `{"changedFiles":["src/server/auth.ts","session.ts"]}`,
		Returns:  "risk with a score from 0 to 100 and what adds to it; affected files by depth with the number of symbols that depend on the change; processes, clusters; tests, the surest first, by why; untested: changed files that no test reaches; unknown: paths that name no file, with candidates.",
		Narrower: "fewer changedFiles, or a smaller maxDepth",
		Fields: []Field{
			{Name: "changedFiles", Kind: Strings, Required: true, Min: 1, Max: 500,
				Doc: "Paths from the repository's root, or their ends."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 5, Default: int64(2), Doc: "Steps away."},
			{Name: "suggestTests", Kind: Boolean, Default: true, Doc: "Lists the tests to run."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "list_repos",
		Title:    "Which graphs are there",
		Summary:  "Lists the code bases that the connected pages hold, with their figures and age, and which one is in front.",
		Use:      "to choose repo for other calls, or to see whether anything is loaded. It answers without a page, too.",
		Avoid:    "what is in one of them: use context.",
		Example:  `{}`,
		Returns:  "repos, the one in front first, with state, figures, indexedAt and ageSeconds; advice when there are none.",
		Narrower: "a repo",
		Class:    resilience.Quick, ReadOnly: true, Idempotent: true,
		Answer: listRepos,
	},
}
