/** What runs in a process that reads files: a worker thread does the work, and this thread watches what it takes. */
import type { FromWorker } from './messages'
import { lowerProcessPriority } from './priority'
import type { FromProcess, ProcessLimits, ToProcess } from './process'

/** How often the process looks at what it takes, in milliseconds. At most some 50 MB come in between. */
const CHECK_INTERVAL = 20
const MEGABYTE = 1024 ** 2

/** Relays the messages of the pool to a worker thread and back. Call it once, when the process starts. */
export function serveProcess(spawn: () => Worker): void {
  lowerProcessPriority()
  const worker = spawn()
  const send = (message: FromProcess) => process.send!(message)
  let limits: ProcessLimits
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => send(data)
  worker.onerror = ({ message }) => send({ stopped: message })
  process.on('message', (message: ToProcess) => {
    if ('limits' in message) limits = message.limits
    else worker.postMessage(message)
    if ('task' in message) watch(limits, (what) => send({ exceeded: what }))
  })
  // These go to all processes of a terminal or a service: the server decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // The server is gone.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

function watch({ seconds, megabytes }: ProcessLimits, onExceeded: (what: keyof ProcessLimits) => void): void {
  const before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    const isTooLarge = process.memoryUsage.rss() > megabytes * MEGABYTE
    if (!isTooLarge && user + system < seconds * 1e6) return
    clearInterval(timer)
    onExceeded(isTooLarge ? 'megabytes' : 'seconds')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)
  }, CHECK_INTERVAL)
}
