package tools

import (
	"regexp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// How an argument names a symbol, in every tool that takes one.
const symbolNames = "`name`, `file:name`, `Type.method`, or a node id from another answer. " +
	"An ambiguous name is answered with the candidates: call again with one of their ids."

// EdgeTypes are the values of `type` on the graph's one relation, CodeRelation.
var EdgeTypes = []string{
	"CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS",
}

// colorField is the colour of what is shown.
var colorField = Field{Name: "color", Kind: String, Max: 20,
	Pattern:    regexp.MustCompile(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{3,20})$`),
	PatternDoc: `a colour like "#e11d48" or "orange"`,
	Doc:        "A hexadecimal colour or a CSS colour name. Without it: the app's accent."}

// maxLine bounds line numbers: far above any file, far below where a
// JavaScript number loses digits.
const maxLine = 10_000_000

// Table holds every tool there is.
var Table = []Tool{
	{
		Name:     "context",
		Title:    "What is loaded",
		Summary:  "Tells which repository is loaded and what it looks like: figures, languages, most connected symbols, folder tree, tools, graph schema.",
		Use:      "first, before any other tool; with focus \"schema\" before writing a Cypher query.",
		Avoid:    "finding one thing: use search or grep.",
		Example:  `{"focus":"hotspots"}`,
		Returns:  "repo, indexedAt, and the sections asked for: stats, hotspots, structure, tools, schema.",
		Narrower: "name one focus",
		Fields: []Field{
			{Name: "focus", Kind: String, Enum: []string{"stats", "hotspots", "structure", "tools", "schema"},
				Doc: "Only this section. Without it: all of them, the long ones shortened."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "search",
		Title:    "Search symbols",
		Summary:  "Finds functions, classes, methods and files by name or by what they are about, best match first.",
		Use:      "to find where something lives when you know a name or a topic but not the file.",
		Avoid:    "exact text or patterns inside files: use grep. Not for who calls what: use impact or explore.",
		Example:  `{"query":"password reset token","limit":5}`,
		Returns:  "results by rank, each with id, name, type, file, lines, cluster, connections and score; groups: the processes they are steps of, with the ranks; total, and `truncated` when there were more.",
		Narrower: "a smaller limit, or a more specific query",
		Fields: []Field{
			{Name: "query", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Words or a symbol name. Several words are ranked together, camelCase is split, forms of a word are one. An exact name comes first, tests come after code unless a word asks for tests."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(10),
				Doc: "The most symbols to return."},
			{Name: "groupByProcess", Kind: Boolean, Default: true,
				Doc: "Tells each flow of calls once, with the ranks of the symbols in it. false: each symbol names its own."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "grep",
		Title:    "Search text",
		Summary:  "Finds lines in the repository's files that match a regular expression.",
		Use:      "for exact text: string literals, error messages, TODOs, configuration keys.",
		Avoid:    "symbols by topic: use search, which ranks. Not for usages of a symbol: use impact, which knows scopes.",
		Example:  `{"pattern":"TODO|FIXME","maxResults":20}`,
		Returns:  "matches by file with line number, the line and the matched text; total and the number of files; `truncated` when there were more.",
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
		Use:      "to see the code behind a symbol that another tool named; pass its startLine and endLine.",
		Avoid:    "looking for something: use search or grep, and read what they find.",
		Example:  `{"filePath":"src/server/auth.ts","startLine":40,"endLine":90}`,
		Returns:  "file, language, content and the lines it covers. A partial path resolves when only one file matches, else the candidates come back.",
		Narrower: "startLine and endLine around the part you need",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Path from the repository's root, or its end: `auth.ts` or `server/auth.ts`. An absolute path works when the repository's folder is in it."},
			{Name: "startLine", Kind: Integer, Min: 1, Max: maxLine,
				Doc: "First line, counted from 1. Without it: the file's first."},
			{Name: "endLine", Kind: Integer, Min: 1, Max: maxLine,
				Doc: "Last line, included. Without it: the file's last."},
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
		Summary:  "Shows the big parts of the code: clusters of symbols that belong together, the flows of calls (processes) through them, and how the parts depend on each other.",
		Use:      "to learn the architecture, or to find the names that explore takes.",
		Avoid:    "one symbol: use explore or impact.",
		Example:  `{"limit":10}`,
		Returns:  "clusters with size, cohesion and their best connected members; crossCluster: how often one calls another, the most first; processes with their entry point and number of steps. Members and entry points are node ids.",
		Narrower: "a smaller limit, or only one of showProcesses and showClusters",
		Fields: []Field{
			{Name: "showProcesses", Kind: Boolean, Default: true, Doc: "Lists the flows of calls."},
			{Name: "showClusters", Kind: Boolean, Default: true, Doc: "Lists the clusters."},
			{Name: "limit", Kind: Integer, Min: 1, Max: 100, Default: int64(20), Doc: "The most entries of each kind."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "highlight",
		Title:    "Point at nodes",
		Summary:  "Highlights nodes in the graph that the user is looking at.",
		Use:      "to show the user what you are talking about, after another tool gave you the node ids. An empty list clears it.",
		Avoid:    "reading anything: it only changes the picture, never the code.",
		Example:  `{"nodeIds":["Function:src/server/auth.ts:login"],"color":"#e11d48"}`,
		Returns:  "the nodes that were highlighted, and notFound: the names that mean none or several, with candidates.",
		Narrower: "fewer nodeIds",
		Fields: []Field{
			{Name: "nodeIds", Kind: Strings, Required: true, Max: 1000,
				Doc: "Node ids as other tools return them; a cluster's stands for its members, a process's for its steps. [] clears the highlight."},
			colorField,
		},
		Class: resilience.Quick, ReadOnly: false, Idempotent: true,
	},
	{
		Name:  "cypher",
		Title: "Query the graph",
		Summary: "Runs one read-only Cypher query against the code graph. Nodes: File, Folder, Function, Class, Interface, Method, Struct, Enum, TypeAlias, Module, Variable, Community, Process. " +
			"One relation, CodeRelation, with `type` (CALLS, IMPORTS, EXTENDS, IMPLEMENTS, CONTAINS, DEFINES, MEMBER_OF, STEP_IN_PROCESS) and `confidence` from 0 to 1.",
		Use:      "for structural questions that no other tool answers: counts, joins, paths. Ask context with focus \"schema\" for the properties first, and put a LIMIT on it.",
		Avoid:    "what search, impact and explore do: they are faster. It cannot write: CREATE, SET, DELETE, CALL, LOAD and the like are refused.",
		Example:  `{"query":"MATCH (a:Function)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 10"}`,
		Returns:  "columns, rows, totalRows, and `truncated` when there were more rows than are returned.",
		Narrower: "a LIMIT, fewer returned columns, named labels and relation types, bounded paths",
		Fields: []Field{
			{Name: "query", Kind: String, Required: true, Min: 1, Max: 20_000,
				Doc: "One statement of Kuzu's Cypher dialect that begins with MATCH, OPTIONAL MATCH, WITH, UNWIND or RETURN. No parameters: write values as literals."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
		Guard: func(a Arguments) error { return GuardCypher(a.String("query")) },
	},
	{
		Name:     "impact",
		Title:    "What depends on it",
		Summary:  "Shows what a change of one symbol or file reaches: its callers and dependents by distance (upstream), or what it relies on (downstream), with a risk estimate.",
		Use:      "before changing, renaming or deleting something, and to find every caller.",
		Avoid:    "what a symbol is or does: use explore.",
		Example:  `{"target":"auth.ts:login","direction":"upstream","maxDepth":2}`,
		Returns:  "a risk level with its reasons; the symbols by depth, the foremost with id, line, edge type, confidence where it is not 1, and `sites`, the lines of the calls or imports in the dependent's file; `others` by file as name:sites; the processes and clusters touched; what was left out.",
		Narrower: "a smaller maxDepth, fewer relationTypes, or a higher minConfidence",
		Fields: []Field{
			{Name: "target", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "The symbol or file: " + symbolNames + " A file goes by its path."},
			{Name: "direction", Kind: String, Required: true, Enum: []string{"upstream", "downstream"},
				Doc: "upstream: who depends on the target. downstream: what the target depends on."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 10, Default: int64(3),
				Doc: "How many steps away. 1 is direct neighbours only."},
			{Name: "relationTypes", Kind: Strings, Min: 1, Max: float64(len(EdgeTypes)), Enum: EdgeTypes,
				Doc: "Only edges of these types. Without it: those that carry dependence (CALLS, IMPORTS, EXTENDS, IMPLEMENTS)."},
			{Name: "includeTests", Kind: Boolean, Default: false, Doc: "Counts symbols in test files too."},
			{Name: "minConfidence", Kind: Number, Min: 0, Max: 1, Default: 0.7,
				Doc: "Leaves out edges less certain than this. 0.5 adds possible targets of dynamic calls, 0 adds guesses by name."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "explore",
		Title:    "Look at one thing",
		Summary:  "Describes one symbol, cluster or process: its members, its callers and callees, and the flows it takes part in.",
		Use:      "to understand a symbol that search found, or a cluster or process that overview named.",
		Avoid:    "dependents of dependents: use impact. Not for the code itself: use read.",
		Example:  `{"name":"SessionStore.renew","type":"symbol"}`,
		Returns:  "for a symbol its place, signature, members, cluster, processes, callers and callees with `sites`, the lines of the calls in the caller's file; for a cluster its files, members, entry points and neighbours; for a process its steps in order.",
		Narrower: "a more specific name",
		Fields: []Field{
			{Name: "name", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "A symbol: " + symbolNames + " A cluster or process: its label or id as overview returns it."},
			{Name: "type", Kind: String, Required: true, Enum: []string{"symbol", "cluster", "process"},
				Doc: "What the name names."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "diff",
		Title:    "What changed",
		Summary:  "Tells what changed in the folder since the repository was loaded: files added, modified and deleted, and in each the symbols that are new, different or gone.",
		Use:      "to see your own or the user's edits as symbols, before test_impact or impact; the graph follows the folder, so the other tools answer for the code as it is now.",
		Avoid:    "the history before that: use git.",
		Example:  `{"filter":"modified"}`,
		Returns:  "since, total by kind, and files, modified ones first: file, change, the lines between which it differs, symbols modified, added (with ids) and removed (by name), renamedFrom where only the path is another; with includeContent the text before and after.",
		Narrower: "a filter, or without includeContent",
		Fields: []Field{
			{Name: "baseline", Kind: String, Enum: []string{"last_index"}, Default: "last_index",
				Doc: "What to compare with: the repository as it was loaded."},
			{Name: "filter", Kind: String, Enum: []string{"all", "added", "modified", "deleted"}, Default: "all",
				Doc: "Only files with this change."},
			{Name: "includeContent", Kind: Boolean, Default: false,
				Doc: "Adds the text of what changed, before and after, 60 lines of each at most."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "graph_action",
		Title:    "Change the view",
		Summary:  "Changes what the user sees of the graph: highlights nodes, brings them into view, writes a label at them, or puts everything back.",
		Use:      "to guide the user through the graph while you explain something.",
		Avoid:    "reading anything: it only changes the picture, never the code.",
		Example:  `{"action":"annotate","nodeIds":["Function:src/server/auth.ts:login"],"label":"starts here"}`,
		Returns:  "what the view shows now: highlighted, focused or annotated nodes; notDrawn: nodes that the picture leaves out; notFound: the names that mean none or several, with candidates.",
		Narrower: "fewer nodeIds",
		Fields: []Field{
			{Name: "action", Kind: String, Required: true, Enum: []string{"highlight", "focus", "annotate", "reset"},
				Doc: "highlight: points at nodes instead of those before. focus: moves the camera to them, and shows the code of one alone. annotate: writes label at them. reset: takes all of that away and shows the whole graph."},
			{Name: "nodeIds", Kind: Strings, Max: 1000,
				Doc: "Node ids as other tools return them; a cluster's stands for its members, a process's for its steps. All actions but reset need some."},
			colorField,
			{Name: "label", Kind: String, Min: 1, Max: 80, Doc: "For annotate: a few words, in place of the label that a node has."},
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
		Summary:  "Gives everything about one symbol in one call: its code, who depends on it and where, what it calls, its flows, the tests that reach it, and the risk of changing it.",
		Use:      "before you change a symbol; it replaces explore, impact and read of it.",
		Avoid:    "a file: use review_file. Not for dependents further than two steps away: use impact.",
		Example:  `{"name":"SessionStore.renew"}`,
		Returns:  "place, risk with its reasons, code; dependents by depth with `sites`, the lines of their calls; callees, members outside of the code shown, bases, processes, and test files with the number of their tests that reach it.",
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
		Summary:  "Gives everything about one file in one call: its symbols, the hot ones first, what it imports and what imports it, its tests, clusters and processes, and its text.",
		Use:      "to review or to understand a file; it replaces read, explore and impact of it.",
		Avoid:    "one symbol: use deep_dive. Not for text alone: use read.",
		Example:  `{"filePath":"src/server/auth.ts"}`,
		Returns:  "symbols with lines, complexity, callers and callees; importedBy, tests and imports with their number of calls; content, up to 14 KB, and shownTo where there is more. Complexity counts branches in the text, much as cyclomatic complexity does.",
		Narrower: "read with a range of lines, or explore",
		Fields: []Field{
			{Name: "filePath", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Path from the repository's root, or its end: `auth.ts` or `server/auth.ts`."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "trace_flow",
		Title:    "How control gets there",
		Summary:  "Finds the shortest path of calls from one symbol to another, or the flows that go through one, with the code of each call.",
		Use:      "to see how one place leads to another, or where a function is reached from.",
		Avoid:    "all callers: use impact.",
		Example:  `{"from":"handleRequest","to":"Database.query"}`,
		Returns:  "with to: path, each step with its id and code, which is the head and the line of the next call, after their line numbers; found is false and note says what is there instead when there is none. Without: the processes through from, the first two in full (asBefore: as many steps as the one before).",
		Narrower: "a to, or a smaller maxSteps",
		Fields: []Field{
			{Name: "from", Kind: String, Required: true, Min: 1, Max: 1000,
				Doc: "Where the flow begins, or what it goes through: " + symbolNames + " A file or type stands for all in it."},
			{Name: "to", Kind: String, Min: 1, Max: 1000,
				Doc: "Where it ends, named in the same way. Without it: the processes through from."},
			{Name: "maxSteps", Kind: Integer, Min: 1, Max: 20, Default: int64(10),
				Doc: "The most calls on the path."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "find_similar",
		Title:    "What is built like it",
		Summary:  "Finds symbols that are built like one: that call the same, are called by the same, have the same members, names and parameters.",
		Use:      "to find duplicates, the other implementations of an idea, or an example to follow.",
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
		Summary:  "Says what a change of some files reaches and how risky it is: affected files by distance, flows and clusters touched, and the tests to run.",
		Use:      "after a change, with the files of a commit or a diff, or before one.",
		Avoid:    "one symbol: use deep_dive or impact, which tell callers line by line.",
		Example:  `{"changedFiles":["src/server/auth.ts","session.ts"]}`,
		Returns:  "risk with a score from 0 to 100 and what each reason adds; affected files by depth with the number of symbols that depend on the change; processes, clusters; tests with why each; untested: changed files that no test reaches; unknown: paths that name no file, with what was meant.",
		Narrower: "fewer changedFiles, or a smaller maxDepth",
		Fields: []Field{
			{Name: "changedFiles", Kind: Strings, Required: true, Min: 1, Max: 500,
				Doc: "Paths of the changed files, from the repository's root, or their ends."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 5, Default: int64(2), Doc: "How many steps away still counts."},
			{Name: "suggestTests", Kind: Boolean, Default: true, Doc: "Lists the tests to run."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name:     "list_repos",
		Title:    "Which graphs are there",
		Summary:  "Lists the code bases that the connected pages hold, with their figures and age, and which one is in front.",
		Use:      "to choose repo for other calls, or to see whether anything is loaded. It answers also when no page is connected.",
		Avoid:    "what is in one of them: use context.",
		Example:  `{}`,
		Returns:  "repos, the one in front first: repo, state, files, symbols, nodes, edges, clusters, processes, languages, indexedAt, ageSeconds; pages where several hold it. advice when there are none.",
		Narrower: "a repo",
		Class:    resilience.Quick, ReadOnly: true, Idempotent: true,
		Answer: listRepos,
	},
}
