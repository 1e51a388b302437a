/**
 * The parts that we use of the script which scripts/extract-kuzu.mjs cuts out of kuzu-wasm 0.11.3.
 * The class methods that are there but broken (Connection.setQueryTimeout) or dangerous (QueryResult.getAllRows,
 * which has no limit) are left out on purpose.
 */
declare module "*/build/kuzu/kuzu.js" {
  export interface QueryResult {
    isSuccess(): boolean;
    getErrorMessage(): string;
    getColumnNames(): string[];
    getNumTuples(): bigint;
    hasNext(): boolean;
    getNext(): unknown[];
    close(): void;
  }
  export interface PreparedStatement {
    isSuccess(): boolean;
    getErrorMessage(): string;
    close(): void;
  }
  export interface Database {
    close(): void;
  }
  export interface Connection {
    readonly _connection: {
      /** Milliseconds; 0 for none. Not looked at inside variable-length and shortest paths. */
      setQueryTimeOut(ms: number): void;
    };
    query(statement: string): QueryResult;
    prepare(statement: string): PreparedStatement;
    execute(statement: PreparedStatement): QueryResult;
    close(): void;
  }
  /** Emscripten's file system, in memory. */
  export interface FileSystem {
    mkdir(path: string): void;
    open(path: string, flags: string): object;
    read(stream: object, bytes: Uint8Array, offset: number, length: number): number;
    write(stream: object, bytes: Uint8Array, offset: number, length: number): number;
    close(stream: object): void;
    stat(path: string): { size: number };
    truncate(path: string, length: number): void;
    unlink(path: string): void;
    filesystems: { MEMFS: MemoryFiles };
  }
  /** The part of MEMFS that says where a file's content stands. */
  export interface MemoryFiles {
    expandFileStorage(file: MemoryFile, capacity: number): void;
    resizeFileStorage(file: MemoryFile, size: number): void;
  }
  export interface MemoryFile {
    /** As long as there is room, of which the file takes `usedBytes`. */
    contents: Uint8Array<ArrayBuffer> | null;
    usedBytes: number;
  }
  export interface InitOptions {
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object;
    print(text: string): void;
    printErr(text: string): void;
  }
  interface Kuzu {
    init(options: InitOptions): Promise<void>;
    getVersion(): string;
    getFS(): FileSystem;
    Database: new (
      path: string, bufferPoolBytes: number, threads: number, compression: boolean, readOnly: boolean,
    ) => Database;
    Connection: new (database: Database) => Connection;
  }
  const kuzu: Kuzu;
  export default kuzu;
}
