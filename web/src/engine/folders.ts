/** How many folders two paths have in common, from the repository's on. */
export function sharedFolders(a: string, b: string): number {
  let shared = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === "/") shared++;
  return shared;
}
