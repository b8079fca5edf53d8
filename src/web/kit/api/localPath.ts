/** The path and query of an address of this server, whatever name the person reached it by. */
export function localPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
