/** Rows of a query's answer. Ids lead to what they name. */
import type { JSX } from "preact";
import { nodeRef } from "../answers.ts";
import { useApp } from "../hooks.ts";
import { count } from "../words.ts";
import { strings } from "../strings.ts";

export function Table({ columns, rows, total }: { columns: readonly string[]; rows: readonly unknown[][]; total: number }): JSX.Element {
  const { store } = useApp();
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={strings.table.result}>
      <table class="result">
        <thead><tr>{columns.map((column, i) => <th key={i} scope="col">{column}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {row.map((cell, c) => {
                const ref = isId(cell) ? nodeRef(cell) : undefined;
                return <td key={c}>{ref ? <button type="button" class="as-link mono" onClick={() => store.dispatch({ type: "go", to: { view: "read", node: ref } })}>{String(cell)}</button> : typeof cell === "string" ? cell : JSON.stringify(cell)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total && <p class="empty">{strings.table.moreRowsAreNot(count(total - rows.length))}</p>}
    </div>
  );
}

/** The different ids in a table, in its order. */
export function idsIn(rows: readonly unknown[][]): string[] {
  return [...new Set(rows.flat().filter(isId))];
}

function isId(cell: unknown): cell is string {
  return typeof cell === "string" && /^(?:File|Folder|Class|Interface|Struct|Enum|TypeAlias|Module|Function|Method|Variable|Field|Route):.+/u.test(cell);
}
