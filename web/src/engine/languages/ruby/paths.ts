/** The path that a constant's name stands for: `HTTPServer::Log` is http_server/log. */
export function underscored(name: string): string {
  return name.replace(/^::/, "").replaceAll("::", "/").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
}
