/** What a path has in place of the names in a pattern, such as `/console/:study/queries/:query?`; undefined if it is another path. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (given.length > wanted.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at]
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
    } else if (value) {
      const text = decoded(value)
      if (text === undefined) return undefined
      found[part.replace(/^:|\?$/g, '')] = text
    } else if (!part.endsWith('?')) return undefined
  }
  return found
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
