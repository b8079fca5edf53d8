import { openLogFile } from './logFile'
import { openWriter } from './logWriter'

/** One finished request. There is no field for a body, a query string, a header or a name, so that none can be logged by mistake. */
export type RequestLine = {
  method: string
  /** The pattern of the route, such as `/trials/:trialId`; undefined if none matched. */
  route: string | undefined
  status: number
  /** Milliseconds. */
  duration: number
  /** Made by the server, never taken from a header. */
  requestId: string
  /** The network address of the client. */
  address?: string | null
  caller?: { kind: 'user' | 'participant'; _id: string } | undefined
  /** Size of the response's body in bytes, if it is known. */
  bytes?: number | undefined
}

/** Numbers and opaque ids that belong to an event. Never text that a user entered. */
type EventFields = Readonly<Record<string, string | number | boolean>>

export type Log = {
  request(line: RequestLine): void
  event(level: 'info' | 'warn' | 'error', event: string, fields?: EventFields): void
  /** Logs an unexpected error: its name, code and stack, but not its message, which may quote text that a user entered. */
  failure(event: string, error: unknown, fields?: EventFields): void
  /** Also writes the lines from now on, as JSON, to files in this folder, which are replaced by size and day. */
  writeFilesTo(folder: string): void
  /** Resolves when all waiting lines are written: the last step of a graceful stop. Any other exit writes them synchronously. */
  close(): Promise<void>
}

/** Where lines are written: `process.stdout`, `process.stderr` or any open file. */
type Sink = { fd: number; isTTY?: boolean }

/**
 * Opens the log (docs/running.md, "The log"). Lines of one turn of the event loop are written together, without blocking
 * it. With `--test`, stdout is reserved for the one line that announces the server, so pass stderr as `sink`.
 */
export function openLog(format: 'text' | 'json', sink: Sink, now: () => number = Date.now): Log {
  const outputs: Output[] = []
  const addOutput = (render: LineFormat, next: (bytes: number) => number | undefined) =>
    outputs.push({
      render,
      writer: openWriter(next, (count) => render.event(now(), 'warn', 'log lines dropped', { count })),
    })
  addOutput(format === 'json' ? jsonFormat : textFormat(Boolean(sink.isTTY)), () => sink.fd)
  const flush = () => {
    for (const { writer } of outputs) writer.flush()
  }
  process.on('exit', flush)
  const ends: (() => void)[] = []
  const event: Log['event'] = (level, name, fields = {}) => {
    for (const { writer, render } of outputs) writer.add(render.event(now(), level, name, fields))
  }
  return {
    request(line) {
      const shown = { ...line, route: patternOf(line.route) }
      for (const { writer, render } of outputs) writer.add(render.request(now(), shown))
    },
    event,
    failure: (name, error, fields = {}) => event('error', name, { ...fields, ...placeOf(error) }),
    writeFilesTo(folder) {
      const file = openLogFile(folder, now)
      addOutput(jsonFormat, file.next)
      ends.push(file.close)
    },
    close: async () => {
      await Promise.all(outputs.map(({ writer }) => writer.close()))
      process.off('exit', flush)
      for (const end of ends) end()
    },
  }
}

type Output = { render: LineFormat; writer: ReturnType<typeof openWriter> }

type LineFormat = {
  request(at: number, line: RequestLine): string
  event(at: number, level: string, event: string, fields: EventFields): string
}

let lastTime = { at: Number.NaN, text: '' }

/** The time as ISO 8601. Many lines are of the same millisecond. */
function isoText(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() }
  return lastTime.text
}

const rounded = (duration: number) => Math.round(duration * 1000) / 1000

const jsonFormat: LineFormat = {
  request: (at, { method, route, status, duration, requestId, address, caller, bytes }) =>
    `${JSON.stringify({
      time: isoText(at),
      level: status >= 500 ? 'error' : 'info',
      method,
      route,
      status,
      duration: rounded(duration),
      requestId,
      address: address ?? undefined,
      user: caller?.kind === 'user' ? caller._id : undefined,
      participant: caller?.kind === 'participant' ? caller._id : undefined,
      bytes,
    })}\n`,
  event: (at, level, event, fields) => `${JSON.stringify({ ...fields, time: isoText(at), level, event })}\n`,
}

/** Aligned text; coloured on a terminal only. */
function textFormat(coloured: boolean): LineFormat {
  const paint = (colour: number, text: string) => (coloured ? `\x1b[${colour}m${text}\x1b[0m` : text)
  const clock = (at: number) => paint(90, isoText(at).slice(11, 23))
  const hue = { info: 32, warn: 33, error: 31 } as Record<string, number>
  return {
    request: (at, { method, route, status, duration, requestId, address, caller, bytes }) => {
      const colour = status >= 500 ? hue.error! : status >= 400 ? hue.warn! : hue.info!
      const figures = `${duration.toFixed(1).padStart(8)} ms ${(bytes === undefined ? '-' : String(bytes)).padStart(9)} B`
      const who = caller ? `${caller.kind} ${caller._id}` : '-'
      return `${clock(at)} ${paint(colour, String(status))} ${figures}  ${method.padEnd(6)} ${route}  ${paint(90, [who, address ?? '-', requestId].join(' '))}\n`
    },
    event: (at, level, event, fields) => {
      const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
      return `${clock(at)} ${paint(hue[level] ?? 0, level.padEnd(5))} ${event}${details.join('')}\n`
    },
  }
}

const WORD = /^(?=.{1,23}$)[A-Za-z.-]+\d?$/
const patterns = new Map<string, string>()

/** A route as it may be logged: if a raw path is ever passed, the parts that are not plain words (ids, tokens) are hidden. */
function patternOf(route: string | undefined): string {
  if (route === undefined) return '-'
  let pattern = patterns.get(route)
  if (pattern === undefined) {
    const [path] = route.split(/#|[?](?!\/|$)/) // `:id?` is a pattern, `?id=` a query
    pattern = path!
      .split('/')
      .map((segment) => (segment === '' || /^[:*]\w*[?*]?$/.test(segment) || WORD.test(segment) ? segment : ':hidden'))
      .join('/')
    if (patterns.size < 2_000) patterns.set(route, pattern)
  }
  return pattern
}

/** Name, code and stack of an error, without the message at the beginning of the stack. */
function placeOf(error: unknown): EventFields {
  if (!(error instanceof Error)) return { kind: typeof error }
  const stack = (error.stack ?? '').replace(error.message, '')
  const places = stack.split('\n').flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? [])
  const code = (error as { code?: unknown }).code
  return {
    kind: nameOf(error),
    ...(typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? { code } : {}),
    at: places.slice(0, 12).join(' < '),
  }
}

/** The name of an error. One that came from another thread has lost its class, but still has its name. */
const nameOf = (error: Error): string =>
  error.constructor === Error && /^\w{1,60}$/.test(error.name) ? error.name : error.constructor.name
