import { refuse } from '#kernel/problem'

/** Throws if bytes are not UTF-8: a decoder that replaces them with `�` would silently change what a person typed. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A value that is nested deeper could not be written as JSON again: the recursion would overflow the stack. */
const DEEPEST = 1000

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/

/** What is wrong with the Content-Type of a body; undefined if it says JSON. JSON is always UTF-8. */
function typeProblem(header: string | null): string | undefined {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  const must = 'The body must be JSON with the header "Content-Type: application/json"'
  if (type.trim() === '') return `${must}; it came without a Content-Type.`
  if (!JSON_TYPE.test(type.trim())) return `${must}; it came as "${type.trim().slice(0, 100)}".`
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(each)?.[1]).find(Boolean)
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return `${must}, in UTF-8; it came as charset=${charset.slice(0, 100)}.`
  }
  return undefined
}

/**
 * Reads the body as JSON; an empty body is `{}`. 413 above `largest` bytes; 422 if it is not JSON, by its header or its text,
 * or nested too deep.
 */
export async function readJson(request: Request, largest: number): Promise<unknown> {
  const text = await readText(request, largest)
  if (text === undefined) throw refuse.tooLarge(`${Math.round(largest / 1024)} KB`)
  const problem = text === '' ? undefined : typeProblem(request.headers.get('content-type'))
  if (problem) throw refuse.invalid({ _schema: [problem] })
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(text)
  } catch {
    throw refuse.invalid({ _schema: ['The body is not valid JSON.'] })
  }
  if (text.length > 2 * DEEPEST && isDeeper(value, DEEPEST)) {
    throw refuse.invalid({ _schema: [`The body is nested more than ${DEEPEST} deep.`] })
  }
  return value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

/**
 * Reads the body as text; undefined if it is longer than `largest` bytes, and then no more of it is read. If there is no
 * Content-Length, the bytes are counted as they arrive. 422 if it is not UTF-8.
 */
async function readText(request: Request, largest: number): Promise<string | undefined> {
  const bytes = await readBytes(request, largest)
  if (!bytes) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    throw refuse.invalid({ _schema: ['The body is not valid UTF-8.'] })
  }
}

async function readBytes(request: Request, largest: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length')
  if (announced !== null) return Number(announced) > largest ? undefined : request.bytes()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > largest) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
