/** The commands that run some tests and no others, in the way of the framework that a file's language and project use. */
import type { Codebase } from "../codebase.ts";

export interface TestFile {
  file: string;
  /** Simple or qualified names of the tests in it that are meant; empty: all, or names are not known. */
  names: readonly string[];
}

/** From so many names on a command names files alone. */
const MAX_NAMES = 30;

/** One command for each framework, the tests of most files first; none for what nobody knows how to run. */
export function testCommands(codebase: Codebase, tests: readonly TestFile[]): string[] {
  const groups = new Map<string, TestFile[]>();
  for (const test of tests) {
    const framework = frameworkOf(codebase, test.file);
    if (framework !== undefined) groups.set(framework, [...groups.get(framework) ?? [], test]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length).map(([framework, files]) => commandOf(framework, files)).filter((command) => command !== undefined);
}

/** `vitest` in `web`, as `vitest web`. */
function frameworkOf(codebase: Codebase, file: string): string | undefined {
  const language = codebase.graph.nodes[codebase.graph.find(`File:${file}`) ?? -1]?.language;
  const has = (names: readonly string[]): { folder: string; text: string } | undefined => nearestFile(codebase, file, names);
  switch (language) {
    case "go": return `go ${has(["go.mod"])?.folder ?? ""}`;
    case "python": return "pytest ";
    case "rust": return `cargo ${has(["Cargo.toml"])?.folder ?? ""}`;
    case "java": return has(["pom.xml"]) ? `maven ${has(["pom.xml"])!.folder}` : `gradle ${has(["build.gradle", "build.gradle.kts"])?.folder ?? ""}`;
    case "csharp": return "dotnet ";
    case "php": return "phpunit ";
    case "ruby": return /(?:^|\/)spec\//.test(file) || file.endsWith("_spec.rb") ? "rspec " : "minitest ";
    case "typescript": case "javascript": {
      const found = has(["package.json"]);
      const runner = ["vitest", "jest", "mocha", "ava", "jasmine", "playwright"].find((name) => found !== undefined && new RegExp(`"(?:@playwright/)?${name}"|\\b${name}\\b`).test(found.text));
      const text = codebase.files.text(file) ?? "";
      const own = /from ["']bun:test["']/.test(text) ? "bun" : /["']node:test["']/.test(text) ? "node" : /@playwright\/test/.test(text) ? "playwright" : runner;
      return own === undefined ? undefined : `${own} ${found?.folder ?? ""}`;
    }
    default: return undefined;
  }
}

/** The file with one of these names that stands nearest above a path, and its folder. */
function nearestFile({ files }: Codebase, path: string, names: readonly string[]): { folder: string; text: string } | undefined {
  const folders = path.split("/").slice(0, -1);
  for (;;) {
    const folder = folders.join("/");
    for (const name of names) {
      const text = files.text(folder === "" ? name : `${folder}/${name}`);
      if (text !== undefined) return { folder, text };
    }
    if (folders.pop() === undefined) return undefined;
  }
}

/** `PriceTest#one`; `PriceTest$Inner#three` of a class in the one that the file is named after. */
function mavenNames({ file, names }: TestFile): string[] {
  const outer = file.replace(/^.*\/|\.\w+$/g, "");
  return [...names].map((name) => {
    const [type, test] = [name.slice(0, Math.max(0, name.lastIndexOf("."))), name.slice(name.lastIndexOf(".") + 1)];
    return `${type === "" || type === outer ? outer : `${outer}$${type.split(".").at(-1)!}`}#${test}`;
  });
}

function commandOf(group: string, tests: readonly TestFile[]): string | undefined {
  const space = group.indexOf(" ");
  const [framework, folder] = [group.slice(0, space), group.slice(space + 1)];
  const paths = tests.map(({ file }) => (folder === "" ? file : file.slice(folder.length + 1)));
  const inFolder = (command: string): string => (folder === "" ? command : `cd ${folder} && ${command}`);
  const known = tests.every(({ names }) => names.length > 0);
  const names = [...new Set(tests.flatMap((test) => test.names))];
  const byName = known && names.length <= MAX_NAMES;
  const simple = [...new Set(names.map((name) => name.slice(name.lastIndexOf(".") + 1)))];
  const classes = [...new Set(paths.map((path) => path.replace(/^.*\/|\.\w+$/g, "")))];
  switch (framework) {
    case "go": {
      const packages = [...new Set(paths.map((path) => (path.includes("/") ? `./${path.slice(0, path.lastIndexOf("/"))}` : ".")))].join(" ");
      // Benchmarks run only where they are asked for.
      const benchmarks = simple.filter((name) => name.startsWith("Benchmark"));
      const bench = benchmarks.length > 0 ? ` -bench '^(${benchmarks.join("|")})$' -benchtime 1x` : "";
      return inFolder(byName ? `go test ${packages} -run '^(${simple.filter((name) => !benchmarks.includes(name)).join("|")})$'${bench}` : `go test ${packages}`);
    }
    case "pytest": return `pytest ${byName ? tests.flatMap((test) => test.names.map((name) => `${test.file}::${name.replaceAll(".", "::")}`)).join(" ") : paths.join(" ")}`;
    case "cargo": return inFolder(byName ? `cargo test -- ${simple.join(" ")}` : "cargo test");
    case "maven": return inFolder(`mvn test -Dtest='${byName ? tests.flatMap(mavenNames).join(",") : classes.join(",")}'`);
    case "gradle": return inFolder(`./gradlew test ${(byName ? names : classes).map((name) => `--tests '*${name}'`).join(" ")}`);
    case "dotnet": return `dotnet test --filter '${(byName ? names : classes).map((name) => `FullyQualifiedName~${name}`).join("|")}'`;
    case "phpunit": return byName ? `vendor/bin/phpunit --filter '/::(${simple.join("|")})\\b/'` : `vendor/bin/phpunit ${paths.join(" ")}`;
    case "rspec": return `bundle exec rspec ${paths.join(" ")}`;
    case "minitest": return paths.map((path) => `ruby -Ilib:test ${path}${byName ? ` -n '/^(${simple.join("|")})$/'` : ""}`).join(" && ");
    case "vitest": return inFolder(`npx vitest run ${paths.join(" ")}`);
    case "jest": return inFolder(`npx jest ${paths.join(" ")}`);
    case "node": return inFolder(`node --test ${paths.join(" ")}`);
    case "bun": return inFolder(`bun test ${paths.join(" ")}`);
    case "playwright": return inFolder(`npx playwright test ${paths.join(" ")}`);
    case "mocha": case "ava": case "jasmine": return inFolder(`npx ${framework} ${paths.join(" ")}`);
    default: return undefined;
  }
}
