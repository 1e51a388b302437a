/** Joins a folder (`""` is the root) and a relative path; undefined when it leads out of the repository. */
export function join(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (parts.length === 0) return undefined;
      parts.pop();
    } else {
      parts.push(part);
    }
  }
  return parts.join("/");
}

/** The folder of a path, `""` for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** A folder and all above it, nearest first. */
export function foldersUp(folder: string): string[] {
  const list = [folder];
  while (folder !== "") {
    folder = folderOf(folder);
    list.push(folder);
  }
  return list;
}

export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
