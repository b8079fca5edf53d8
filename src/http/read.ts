import type { Noun } from '#kernel/nouns'
import { type FieldProblems, refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { shownText, textFaults, textProblem } from '#kernel/text'
import { nextTurn } from '#writers/stream'

/** Throws if bytes are not UTF-8: a decoder that replaces them with `�` would silently change what a person typed. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A value that is nested deeper could not be written as JSON again: the recursion would overflow the stack. */
const DEEPEST = 1000

/** Escapes in JSON that may make a text which cannot be stored; as UTF-8 itself, it cannot hold such a text. */
const SUSPECT = /\\u(?:d[89a-f]|0000)/i

/** Characters of a text for which each step of reading it takes some milliseconds: other requests have a turn between two steps. */
const LARGE = 1 << 20
const turnAfter = async ({ length }: string): Promise<void> => {
  if (length > LARGE) await nextTurn()
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/

/** What is wrong with the Content-Type of a body; undefined if it says JSON. JSON is always UTF-8. */
function typeProblem(header: string | null): Reason | undefined {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  if (type.trim() === '') return reason('noType')
  if (!JSON_TYPE.test(type.trim())) return reason('otherType', { type: type.trim().slice(0, 100) })
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(each)?.[1]).find(Boolean)
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return undefined
  return reason('otherCharset', { charset: charset.slice(0, 100) })
}

/**
 * Reads the body as JSON; an empty body is `{}`. 413 above `largest` bytes; 422 if it is not JSON, by its header or its text,
 * is nested too deep, or holds text that cannot be stored.
 */
export async function readJson(request: Request, largest: number): Promise<unknown> {
  const text = await readText(request, largest)
  if (text === undefined) throw refuse.tooLarge(`${Math.round(largest / 1024)} KB`)
  const problem = text === '' ? undefined : typeProblem(request.headers.get('content-type'))
  if (problem) throw refuse.invalid({ _schema: [problem] })
  await turnAfter(text)
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(text)
  } catch {
    throw refuse.invalid({ _schema: [reason('notJson')] })
  }
  await turnAfter(text)
  if (text.length > 2 * DEEPEST && isDeeper(value, DEEPEST)) {
    throw refuse.invalid({ _schema: [reason('tooDeep', { most: DEEPEST })] })
  }
  if (SUSPECT.test(text)) requireStorable(value)
  return value
}

/** Refuses (422) text that cannot be stored. */
function requireStorable(value: unknown): void {
  const problems: FieldProblems = Object.create(null) // a field may be called `constructor`
  const paths: Record<string, Reason> = Object.create(null)
  for (const { path, problem } of textFaults(value)) {
    const [field = '_schema', ...inner] = path
    paths[[field, ...inner].join('.')] ??= problem
    ;(problems[field] ??= []).push(inner.length ? at(inner.join('.'), problem) : problem)
  }
  if (Object.keys(problems).length) throw refuse.invalid(problems, 'json', paths)
}

/** What is wrong with a part of a URL; undefined if it is text that can be stored. */
function encodingProblem(part: string): Reason | undefined {
  try {
    return textProblem(decodeURIComponent(part))
  } catch {
    return reason('badEncoding')
  }
}

/** The parameters in the query of a URL. 422 if one is not text that can be stored. */
export function readQuery(url: string): URLSearchParams {
  const at = url.indexOf('?')
  const text = at < 0 ? '' : url.slice(at + 1)
  const query = new URLSearchParams(text)
  if (!text.includes('%')) return query
  const problems: FieldProblems = Object.create(null)
  for (const part of text.split('&')) {
    const problem = encodingProblem(part)
    const [name] = [...new URLSearchParams(part).keys()]
    if (problem) problems[shownText(name ?? '')] = [problem]
  }
  if (Object.keys(problems).length) throw refuse.invalid(problems, 'query')
  return query
}

/** What a parameter of a path names, in words: `stageGroupId` is a stage group. */
const nounOf = (parameter: string | undefined): Noun =>
  (parameter ?? ':object')
    .replace(/^:/, '')
    .replace(/Id$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) as Noun

/**
 * Refuses (404) a path with a parameter that is not text that can be stored: nothing has such an id.
 * @param pattern such as `/groups/:groupId`
 */
export function checkPath(url: string, pattern: string): void {
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3)).split('?')[0]!
  if (!path.includes('%')) return
  const names = pattern.split('/')
  const at = path.split('/').findIndex((part) => encodingProblem(part) !== undefined)
  if (at >= 0) throw refuse.missing(nounOf(names[at]))
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
    throw refuse.invalid({ _schema: [reason('notUtf8')] })
  }
}

/** 400 if the client went away before its whole body had arrived, which is not an error of the server. */
async function readBytes(request: Request, largest: number): Promise<Uint8Array | undefined> {
  try {
    return await bytesOf(request, largest)
  } catch {
    throw refuse.bad('requestCutShort')
  }
}

async function bytesOf(request: Request, largest: number): Promise<Uint8Array | undefined> {
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
