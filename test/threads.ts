/** Worker threads of tests. One starts for a fifth of a second; therefore an idle one is used again by the next world. */
import type { Listener, Performer, StartPerformer } from '#jobs/messages'
import { threads } from '#jobs/thread'

type Thread = { performer: Performer; listener: Listener; tasks: number }

/** Starts performers on threads that are used again when they end without a task. Each world sends its own setup. */
export function reuseThreads(spawn: () => Worker): StartPerformer {
  const idle: Thread[] = []

  function begin(listener: Listener): Thread {
    const performer = threads(spawn)({
      onMessage(message) {
        if (!('progress' in message || 'report' in message)) thread.tasks--
        thread.listener.onMessage(message)
      },
      onEnd(problem) {
        const at = idle.indexOf(thread)
        if (at >= 0) idle.splice(at, 1)
        else thread.listener.onEnd(problem)
      },
    })
    const thread: Thread = { performer, listener, tasks: 0 }
    return thread
  }

  return (listener) => {
    const thread = idle.pop() ?? begin(listener)
    thread.listener = listener
    return {
      post(message) {
        if ('task' in message) thread.tasks++
        thread.performer.post(message)
      },
      end: () => void (thread.tasks ? thread.performer.end() : idle.push(thread)),
    }
  }
}
