/**
 * Facts: what a parser Worker says about one file, without knowing any other.
 * Plain data: it crosses a Worker boundary and can be stored as JSON.
 */

/** Kinds of declared symbols. Not every language has every kind. */
export type SymbolKind =
  | "Function"
  | "Method"
  | "Class"
  | "Interface"
  | "Struct"
  | "Enum"
  | "TypeAlias"
  | "Module"
  | "Variable"
  | "Route";

/** Why control may enter the program here. */
export type EntryKind = "main" | "test" | "route" | "handler" | "export";

/** A place in the code by the names in it: which things they are, the file's relations of these lines say. */
export interface NamedCode {
  text: string;
  names: string[];
  line: number;
  endLine: number;
  /** A function without a name: what it calls is meant. */
  inline?: true;
  /** Of one on a line with other code: the names that are there alone. */
  beside?: string[];
  /** The name of a function that is declared there. */
  declared?: true;
}

/** What a route, a job or a command runs. */
export interface RouteFact {
  /** What runs before the handler, in order. */
  before: NamedCode[];
  /** NestJS: decorators of the project on it, which may be made of ones that say what runs before. */
  decorators?: NamedCode[];
  handler?: NamedCode;
  /** The handler, where it is declared beside the route: its index in the file's symbols. */
  symbol?: number;
  /** The handler by the simple name of its class, and the folder that this may stand in. */
  named?: { owner: string; name: string; within?: string };
  /** The handler by the name of a task: `sums.add`, or the module and the function. */
  task?: string;
  /** The methods of the class that is its handler that it runs, where they have other names than HTTP's. */
  actions?: readonly string[];
  /** Its name as far as the file says it, where constants of other files are in it (`namedElsewhere`). */
  path?: string;
  /** The router that it is added to, where another file may put that under a path. */
  router?: RouterFact;
}

export interface RouterFact {
  /** The names of its variables, of the function that makes it or is given it, and those by which JavaScript exports it. */
  names: string[];
  /** Where it is made, or first used. */
  line: number;
  /** It is made elsewhere: imported, or given to a function. */
  given?: true;
  /** Its own prefix, where the path under which it is put may take the place of that. */
  own?: string;
  /** NestJS, and what Java's frameworks find by annotations: the method of a class that answers, which a class below it may have anew. */
  method?: string;
  /** The versions of its routes, which paths tell where the application says so; "" is none. */
  versions?: readonly string[];
  /** ASP.NET: what names in brackets stand for in paths, `[controller]`. */
  tokens?: Readonly<Record<string, string>>;
  /** A group of commands: the words that its commands are called by begin with this one where it is a part of another group. */
  word?: string;
}

/** What a class runs around its methods for requests, and those of the classes below it: Rails' `before_action :sign_in, only: :edit`, Laravel's `$this->middleware("auth")->only("edit")`. */
export interface FilterFact {
  /** The class, or the module that says it for those that include it: its index in the file's symbols. */
  symbol: number;
  code: NamedCode;
  /** The names of the methods that it is for, or not for; all where neither says so. */
  only?: readonly string[];
  except?: readonly string[];
  /** It takes away what a class above has put there. */
  skips?: true;
  /** The list that it is in, which takes the place of the one of that name above: `permission_classes` of Django's REST framework. */
  list?: string;
  /** It runs before those that were said before it: Rails' `prepend_before_action`. */
  first?: true;
  /** It runs after the method alone. */
  after?: true;
}

/** A name that routes may give what runs before them: Laravel's `"auth" => Authenticate::class`. */
export interface AliasFact {
  name: string;
  code: NamedCode;
  /** It is a decorator of NestJS that a function of this name in the file makes of others. */
  composed?: true;
}

/** A folder whose files' routers are put under a path. */
export interface FolderFact {
  /** From the folder of the file that says so, or of any other. */
  path: string;
  /** Names of folders within it are parts of paths, or, with a parameter for `_id`. */
  names?: "parts" | "parameters";
  /** Its files of hooks run theirs before the routes of their folder, or of those below it, too. */
  hooks?: "own" | "below";
}

/** A router of another file is put under a path. */
export interface MountFact {
  /** `…` at its beginning stands for what only other files know; constants of theirs may be in it (`namedElsewhere`). */
  prefix: string;
  /** The router that it is put into, where others may put that under a path in turn. */
  into?: RouterFact;
  target: NamedCode;
  /** Lines of the import that brings the target's first name, and the name by which JavaScript takes it from there. */
  imported?: { line: number; endLine: number; as?: string };
  /** The end of the path of the file that is put there: Django's `include("articles.urls")`. */
  file?: string;
  folder?: FolderFact;
  /** The prefix takes the place of the router's own. */
  overrides?: boolean;
  /** Django REST framework: what is put there ends with no slash. */
  slashless?: true;
  /** The texts that the function is given which the target calls, by the index or the name of its parameter: they stand in its routes' paths (`givenElsewhere`). */
  given?: Readonly<Record<string, string>>;
  /** A class inherits the routes of its target, but for those of these methods, which are its own. */
  hidden?: readonly string[];
  /** NestJS: the target's class has its routes itself, too, and what runs before those of the class that inherits them runs before them. */
  beside?: true;
  /** What runs before its routes, in order. */
  before?: NamedCode[];
  /** The target is a router of this file: routes of others that import it are put there. */
  shared?: true;
  /** Versions of routes stand in their paths behind the prefix: what is before each, and the versions of those that say none. */
  version?: { prefix: string; usual: readonly string[] };
  /** It counts for the files in its folder, and those below it, alone. */
  below?: true;
  /** It puts nothing anywhere: it says what runs before routes, with the paths that these are under, or all; `exact`: they are the paths themselves, as far as no `*` stands for more; `last`: behind what others of these say; `elsewhere`: routes of its own file say it themselves. */
  runs?: { under?: readonly string[]; exact?: true; last?: true; elsewhere?: true };
  /** A group of commands is called by this word there. */
  word?: string;
  /** Paths that the prefix does not stand before; `*` and parameters stand for parts of them. */
  except?: readonly string[];
}

/** A class as a file names it: by its simple name, behind the first part of the module that it is imported from, unless that is relative: `shop/Orders`. */
export type ClassName = string;

/** What a view answers, a function or a class, as far as its file says it. */
export interface ViewFact {
  /** HTTP's methods, and, in lower case, the actions of a set of views. */
  answers: readonly string[];
  /** The classes above it that are of no framework. */
  bases?: readonly ClassName[];
  /** The parameter for an object of a set. */
  lookup?: string;
  /** It answers these of HTTP's methods alone. */
  only?: readonly string[];
  /** It may answer more. */
  open?: true;
}

/** Sets of views that a file registers with a router that makes two routes of each, for all of its objects and for one. */
export interface RegisteredSets {
  names: readonly ClassName[];
  /** The routes that the file was read without, since their sets answer none of their actions: the set's name, and the first of these actions. */
  silent: readonly string[];
}

/** One declaration in a file. */
export interface SymbolFact {
  kind: SymbolKind;
  /** The simple name: `Execute`, not `Command.Execute`. */
  name: string;
  /** The simple name of the type that a method or a nested type belongs to (its class, or its receiver's type). */
  owner?: string;
  /** Index, in the same file's symbols, of the declaration that encloses this one; -1 at top level. Always less than this symbol's own index. */
  parent: number;
  /** 1-based line of the name. */
  line: number;
  /** 1-based first line of the whole declaration, decorators and doc comments excluded. */
  startLine: number;
  /** 1-based last line, inclusive. */
  endLine: number;
  /** Visible outside its file (or, in Go, outside its package). */
  exported: boolean;
  /** The declaration's head on one line, at most 200 characters, without the body. */
  signature?: string;
  entry?: EntryKind;
  /** A method of a property's name that runs where the property is written or deleted, not where it is read. */
  isSetter?: true;
  /** Of a Route. */
  route?: RouteFact;
}

/** What `Language.extract` returns. `data` is the language's own: imports, calls, scopes, in whatever form its resolver reads. */
export interface FileFacts<D = unknown> {
  symbols: SymbolFact[];
  data: D;
  /** Number of syntax errors that the parser recovered from; 0 for a clean parse. */
  syntaxErrors: number;
  mounts?: MountFact[];
  filters?: FilterFact[];
  aliases?: AliasFact[];
  /** What its views answer, by the name of the function or class. */
  answers?: Record<string, ViewFact>;
  /** The sets of views that it registers. */
  sets?: RegisteredSets;
  /** The path of its routes, where it is loaded with its folder and that of its name does not count. */
  ownPrefix?: string;
  /** What it runs before the routes of its folder, where that is loaded with its files of hooks: fastify's `autohooks.js`. */
  folderHooks?: NamedCode[];
  /** Texts that begin with a slash, by the members that have them: `Paths.users` is "/users". */
  texts?: Record<string, string>;
  /** Made by a tool (a "Code generated" header, a bundle, a lock): still in the graph, marked. */
  generated?: boolean;
}
