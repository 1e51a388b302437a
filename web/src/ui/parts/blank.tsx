/** What stands in a view that has nothing to show: because there is nothing, it is not there yet, or it went wrong. */
import type { ComponentChildren, JSX } from "preact";
import { CrossIcon, Spinner } from "./icons.tsx";

export function Blank({ title, children, icon }: { title: string; children?: ComponentChildren; icon?: JSX.Element }): JSX.Element {
  return (
    <div class="blank">
      {icon && <div class="card-icon">{icon}</div>}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Waiting({ title }: { title: string }): JSX.Element {
  return <div class="blank waiting" role="status"><p class="muted"><Spinner /> {title}</p></div>;
}

export function Wrong({ title, message }: { title: string; message: string }): JSX.Element {
  return (
    <div class="blank tone-bad" role="alert">
      <div class="card-icon"><CrossIcon /></div>
      <h2>{title}</h2>
      <p class="reason">{message}</p>
    </div>
  );
}
