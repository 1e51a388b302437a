/**
 * One instance of the graph database, synchronous: builds a database file, or answers queries from one.
 * Runs in a Worker of its own (cypher.worker.ts), because a query blocks its thread; and in Node, for tests.
 */
import type { Connection, Database, InitOptions } from "../../../build/kuzu/kuzu.js";
import type { CypherResult } from "../tools.ts";
import { CSV_PATH, type TableLoad } from "./csv.ts";
import { growInPlace } from "./memory-files.ts";
import { pack, unpack, type PackedFile } from "./packed-file.ts";
import { plain } from "./values.ts";

type Kuzu = (typeof import("../../../build/kuzu/kuzu.js"))["default"];

/** The database refused the statement, in its own words. Anything else that is thrown means the instance is broken. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  constructor(message: string, readonly timedOut = false) {
    super(message);
  }
}

const BUILD_PATH = "/build.kuzu";
const QUERY_PATH = "/graph.kuzu";
const BUILD_POOL_BYTES = 256 << 20;

/** Characters of JSON that one answer may have; the rows after that are counted, not read. */
const MAX_ANSWER_CHARS = 4 << 20;
/** A single row past this is refused: a message has a limit too. */
const MAX_ROW_CHARS = 16 << 20;

export class KuzuSession {
  private database: Database | undefined;
  private connection: Connection | undefined;

  private constructor(private readonly kuzu: Kuzu) {}

  /** `instantiate` makes an instance of kuzu.wasm with the given imports. One session a thread: the module keeps its state. */
  static async start(
    kuzu: Kuzu,
    instantiate: (imports: WebAssembly.Imports) => Promise<WebAssembly.WebAssemblyInstantiatedSource>,
  ): Promise<KuzuSession> {
    // Emscripten waits for ever when its callback is not called, so a failure has to overtake it.
    await new Promise<void>((resolve, reject) => {
      const options: InitOptions = {
        instantiateWasm(imports, done) {
          instantiate(imports).then(({ instance, module }) => done(instance, module)).catch(reject);
          return {};
        },
        print: () => undefined,
        printErr: (text) => console.warn(`graph database: ${text}`),
      };
      kuzu.init(options).then(resolve, reject);
    });
    growInPlace(kuzu.getFS().filesystems.MEMFS);
    return new KuzuSession(kuzu);
  }

  get version(): string {
    return this.kuzu.getVersion();
  }

  /** Begins a database file. */
  create(statements: readonly string[]): void {
    this.connect(BUILD_PATH, BUILD_POOL_BYTES, false);
    for (const statement of statements) this.run(statement);
  }

  /** Loads one table. */
  load({ statement, csv }: TableLoad): void {
    const fs = this.kuzu.getFS();
    const stream = fs.open(CSV_PATH, "w");
    for (const chunk of csv) fs.write(stream, chunk, 0, chunk.length);
    fs.close(stream);
    try {
      this.run(statement);
    } finally {
      fs.unlink(CSV_PATH);
    }
  }

  /** Ends the database file and returns it, packed. */
  async finish(): Promise<PackedFile> {
    this.run("CHECKPOINT");
    this.close();
    const fs = this.kuzu.getFS();
    const packed = await pack(fs, BUILD_PATH);
    fs.unlink(BUILD_PATH);
    return packed;
  }

  /** Opens a database file for reading; writing statements are refused from here on. */
  async open(file: PackedFile, poolBytes: number): Promise<void> {
    await unpack(file, this.kuzu.getFS(), QUERY_PATH);
    this.connect(QUERY_PATH, poolBytes, true);
  }

  /**
   * Runs one statement and reads at most `maxRows` rows.
   * `timeoutMs` is a wish: some queries don't look at the clock, so the caller must be ready to end this thread.
   */
  query(query: string, maxRows: number, timeoutMs: number): CypherResult {
    const connection = this.connected();
    // Before every query: a statement can change it.
    connection._connection.setQueryTimeOut(Math.max(1, Math.ceil(timeoutMs)));
    // Preparing refuses several statements in one text.
    const prepared = connection.prepare(query);
    try {
      if (!prepared.isSuccess()) throw statementError(prepared.getErrorMessage());
      const result = connection.execute(prepared);
      try {
        if (!result.isSuccess()) throw statementError(result.getErrorMessage());
        const rows: unknown[][] = [];
        for (let chars = 0; rows.length < maxRows && chars < MAX_ANSWER_CHARS && result.hasNext();) {
          const row = result.getNext().map(plain);
          const size = JSON.stringify(row).length;
          if (size > MAX_ROW_CHARS) {
            throw new StatementError(`One row of the answer has ${Math.round(size / 1e6)} MB. Return counts or fewer columns instead of collecting everything in one value.`);
          }
          rows.push(row);
          chars += size;
        }
        return { columns: result.getColumnNames(), rows, totalRows: Number(result.getNumTuples()) };
      } finally {
        result.close();
      }
    } finally {
      prepared.close();
    }
  }

  close(): void {
    this.connection?.close();
    this.database?.close();
    this.connection = this.database = undefined;
  }

  private connect(path: string, poolBytes: number, readOnly: boolean): void {
    this.close();
    this.database = new this.kuzu.Database(path, poolBytes, 1, true, readOnly);
    this.connection = new this.kuzu.Connection(this.database);
  }

  private connected(): Connection {
    if (!this.connection) throw new Error("The graph database is not open.");
    return this.connection;
  }

  private run(statement: string): void {
    const result = this.connected().query(statement);
    try {
      if (!result.isSuccess()) throw new StatementError(`${result.getErrorMessage()} (${statement.slice(0, 120)})`);
    } finally {
      result.close();
    }
  }
}

function statementError(message: string): StatementError {
  return new StatementError(message, /^Interrupted/.test(message));
}
