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
			{Name: "color", Kind: String, Max: 20,
				Pattern:    regexp.MustCompile(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{3,20})$`),
				PatternDoc: `a colour like "#e11d48" or "orange"`,
				Doc:        "A hexadecimal colour or a CSS colour name. Without it: the app's accent."},
		},
		Class: resilience.Quick, ReadOnly: false, Idempotent: true,
	},
	{
		Name:  "cypher",
		Title: "Query the graph",
		Summary: "Runs one read-only Cypher query against the code graph. Nodes: File, Folder, Function, Class, Interface, Method, Struct, Enum, TypeAlias, Variable, Community, Process. " +
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
}
