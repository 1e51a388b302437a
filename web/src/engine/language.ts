import type { Language as Grammar, Tree } from "web-tree-sitter";
import type { FileFacts } from "./facts.ts";

/**
 * Relations that a resolver may emit, at the places that they have in what is kept. CONTAINS and derived relations are the pipeline's, and so
 * is DEFINES (`structure.ts`) but for methods that stand in another folder than their type, which leaves the type.
 * HANDLES, from a route to what it runs, follows from the others (`handlers.ts`).
 * REFERENCES: a function, method or class used as a value, or a variable read or written.
 */
export const RESOLVED_EDGE_TYPES = ["CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "DEFINES", "HANDLES"] as const;
export type ResolvedEdgeType = (typeof RESOLVED_EDGE_TYPES)[number];

/** One end of an edge. `symbol` is the index in that file's symbols; -1 means the file itself (module level code). */
export interface SymbolRef {
  file: number;
  symbol: number;
}

/**
 * Takes one resolved relation. `confidence` in 0..1 is the chance that the edge is right:
 * 1 follows from the syntax alone, 0.9 from declared types, 0.7 from inferred types,
 * 0.6 for a possible target of a dynamic call (an implementation behind an interface),
 * 0.5 for a function that was stored in the field or variable that is called, 0.3 for one of many such,
 * under 0.5 for a guess by name. `line` is the 1-based line of the call, reference or import, 0 where there is none.
 */
export type Emit = (type: ResolvedEdgeType, from: SymbolRef, to: SymbolRef, confidence: number, line: number) => void;

/**
 * Takes what the resolution of a file has asked of others, beside what the names in it say: hashes, as `wordOf` makes them, of what
 * the language's surfaces answer with. It comes on top of what was taken before, unless everything is resolved again.
 */
export type Ask = (file: number, words: readonly number[]) => void;

/**
 * Where a function may be kept, alone or in a list or table that is kept there. What `owner` is and the form of `name` tell which: a field by
 * its name, of a class or another type; a parameter by its place ("0", "1" …), what is returned ("()"), or a local variable (":" and its name),
 * of a function; a variable of a package or module (""). Without an owner it is a field of that name, whatever has it.
 */
export interface Slot {
  owner?: SymbolRef | undefined;
  name: string;
}

/** The confidence of a call of a function that was stored in what is called. */
export const STORED = 0.5;
/** That of one of more than `FEW` such. */
export const ONE_OF_MANY = 0.3;
export const FEW = 8;

/**
 * Slots that are parts of what another slot holds have its name, a dot, and a name: a field or method of the objects in it, what its functions give
 * ("()"; of a class that is an object of it), the objects that its classes make ("new()"), or, to put something there, a parameter of its functions
 * by its place ("(0)", "(1)" …) or by its name ("(=name)", which gets into "=name"), or a field of its objects ("(name)"). The rest are slots
 * of a class, or of a function that is used as one. What it gives to its objects is put into its slots of the names; methods that its file declares,
 * and those of what EXTENDS relations lead to, it has without that.
 */
export const SLOT = {
  /** Holds an object of the class; nothing is put there. */
  OBJECT: "(object)",
  /** Holds the objects on which a method of the class may run: of it and of what derives from it, as far as any are made. */
  SELF: ":self",
  /** Is given the classes that it inherits from. */
  BASE: "(base)",
  /**
   * Holds a function that no relation leads to, which may be given something; nothing is put there. Where it follows other text in the
   * slot's name, the names of the function's parameters, which are slots of the same owner, begin with that text: "(7)(function)", "(7)0".
   */
  FUNCTION: "(function)",
  /**
   * Holds something of which no more is known than what code gives to it, as a library makes it; nothing is put there. Of "7(made)", the slots of
   * the same owner that are named "7.(name)" are its members wherever they are in it, "7.(*)" what it was made of. Calls of it and of what is in it give it.
   */
  MADE: "(made)",
  /** Holds an object that an expression makes of its members; nothing is put there. Of "7(literal)" these are the slots of the same owner that are named "7.(name)". */
  LITERAL: "(literal)",
  /** The part of a slot that holds those of its objects that are made so. */
  AS_MADE: "=made",
  /** Holds a function without a name that stands in the code of the owner; nothing is put there. */
  CODE: "(code)",
  /**
   * Begins the name of a slot without an owner that holds all functions of a type which code uses as values: a call of it runs one of many, and
   * what is put there is in no other slot.
   */
  TYPE: "(type)",
  /** Begins the name of a slot without an owner that holds what the field of that name does, where all that has such a field is of one class. */
  ONLY: "(only)",
} as const;

/**
 * Takes what code does with functions as values, from which it is worked out what a call of a field, a parameter or an element may run
 * (`stored.ts`). What a function without a name calls, the code around it calls: that stands for it where it is put, as `SLOT.CODE`. A call puts each argument into the parameter of every
 * function that it surely reaches, whether or not that calls it. What is put into a list or table is put into the slot that holds that, and
 * a call of an element calls that slot.
 */
export interface Stores {
  /** Code of `file` puts a function, or whatever another slot holds, into a slot. */
  put: (file: number, into: Slot, what: SymbolRef | Slot) => void;
  /** Code of `by` calls, at a 1-based line, whatever a slot holds; where that is no function, or the slot is a parameter, what `otherwise` holds, too. */
  call: (by: SymbolRef, from: Slot, line: number, otherwise?: Slot) => void;
}

/** A file of one language, as a resolver sees it. */
export interface ProjectFile<D> {
  /** Path from the repository's root, forward slashes. */
  path: string;
  facts: FileFacts<D>;
}

/** All that a resolver may look at. */
export interface Project<D> {
  /** The files of this language; a SymbolRef's `file` is an index into this list. */
  files: readonly ProjectFile<D>[];
  /** Every path in the repository, of any language. */
  paths: ReadonlySet<string>;
  /** The text of a configuration file such as go.mod, tsconfig.json, package.json; undefined when there is none. */
  read(path: string): string | undefined;
}

/** A project as it was before a change. */
export interface Before<D> extends Project<D> {
  /** The files from which IMPORTS lead to a file. */
  importers(path: string): readonly string[];
  /** What a file has asked, sorted. */
  asked(path: string): Uint32Array;
}

/** What parses: a grammar's name is the part of tree-sitter-NAME.wasm between the dash and the dot. */
export type GrammarName =
  | "typescript" | "tsx" | "javascript" | "go" | "python"
  | "java" | "rust" | "c-sharp" | "c" | "cpp" | "php" | "ruby";

/** Which files a language has. */
export interface LanguageFiles {
  /** Lower-case id: "typescript", "go", "python". */
  readonly id: string;
  /** File name endings, with the dot, lower case. */
  readonly extensions: readonly string[];
  /** Whole file names without such an ending, lower case: "rakefile". */
  readonly names?: readonly string[];
  /** Programs that run it, without a version: the first line of a file without an ending may name one (`#!/usr/bin/env python3`). */
  readonly interpreters?: readonly string[];
}

/**
 * The part of a language that runs in parser Workers: what one file says. It imports no resolver, since every parser Worker loads the
 * readers of all languages before it parses its first file.
 */
export interface Reader<D = unknown> extends LanguageFiles {
  /** The grammar for a path, and the text of that file. */
  grammar(path: string, text: string): GrammarName;
  /**
   * What to parse of a file that has code within other text: as long as the text, line for line, with what is no code blank. Without this
   * method it is the text.
   */
  code?(path: string, text: string): string;
  /**
   * Reads one parsed file. Must not keep the tree (the caller deletes it), must not throw on any
   * input, syntax errors included. `source` is what was parsed. `grammar` is the loaded grammar, for compiling queries (cache them by grammar).
   * `context` is what the language's `contexts` gives for the file, when it is read once more.
   */
  extract(tree: Tree, source: string, path: string, grammar: Grammar, context?: unknown): FileFacts<D>;
}

/**
 * The part of a language that runs in the engine's Worker: how its files join. It imports no reader, since the engine has to be there before
 * the first file is. A language is one folder under languages/: its files, its reader, its resolver, its fixtures. Neither part touches the DOM, so both
 * run in Node, too.
 */
export interface Language<D = unknown> extends LanguageFiles {
  /**
   * Joins all files: emits every relation once or more (duplicates are merged, the highest confidence wins). With `only`
   * (indexes into the project's files, from `affected`), those that leave these files; others may be emitted, too. The
   * same goes for what is told to `stores`.
   */
  resolve(project: Project<D>, emit: Emit, only?: ReadonlySet<number>, ask?: Ask, stores?: Stores): void;
  /**
   * The files that say something else when they are read with declarations of others, as macros are, than they were: by path what each is to be
   * read with (`Reader.extract`), plain data. It follows from what files say that were read without any.
   */
  contexts?(project: Project<D>): ReadonlyMap<string, unknown>;
  /** What `contexts` gave when a file was read; undefined for nothing. */
  contextOf?(facts: FileFacts<D>): unknown;
  /**
   * After a change of the files `changed` (by path: added, removed, or with other facts): the files of `after` whose
   * relations may be others than in `before`; undefined when that may be all of them. Without this method it always is.
   */
  affected?(before: Before<D>, after: Project<D>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined;
  /**
   * Whether `affected` goes by what `resolve` remembers of having resolved all files. Relations that were kept for the next visit do not tell
   * that, so it takes resolving them once more (`Relations.recall`), or the first change is of all files.
   */
  readonly remembers?: true;
  /**
   * What a file is told to be written in, where that is not the language's id. `paths` are all of the repository: only files that come and go
   * may change what another is.
   */
  dialect?(path: string, facts: FileFacts<D> | undefined, paths: readonly string[]): string;
  /** Works out what `affected` will want of a file, while there is nothing else to do. */
  prepare?(facts: FileFacts<D>): void;
  /**
   * Whether a path that is no file of this language tells the resolver anything by being there (a go.mod, a
   * package.json). Without this method every path may.
   */
  looksAt?(path: string): boolean;
}
