/** Who is signed in, and what happens when the session ends while somebody works. */
import { signal } from '@preact/signals'
import type { ShellTranslator } from '#web/console/lang/texts'
import { type Answer, ask } from '#web/kit/api/send'
import type { Session } from '#web/kit/signIn/signIn'

/** Undefined until the server has said whether there is one; null if there is none. */
export const session = signal<Session | null | undefined>(undefined)
/** Whether the session ended while the page was open: the person signs in over the page, which stays as it is. */
export const hasEnded = signal(false)
/** Whether the last request did not reach the server. */
export const isOffline = signal(false)
/** The texts of the frame, for what is said of requests. */
export const currentTranslator = signal<ShellTranslator | undefined>(undefined)

/** The translator, from the moment when a page can be shown. */
export function translatorNow(): ShellTranslator {
  const translator = currentTranslator.peek()
  if (!translator) throw new Error('Nothing is asked before the texts of the frame are there.')
  return translator
}

/** Asks the server who is signed in. Returns what could not be answered. */
export async function readSession(): Promise<Answer<Session>> {
  const answer = await ask<Session>(translatorNow(), 'GET', '/sessions')
  isOffline.value = !answer.isDone && answer.status === 0
  if (answer.isDone) takeSession(answer.body)
  else if (answer.status === 401 && session.peek() === undefined) session.value = null
  return answer
}

const resume: (() => void)[] = []

/** Waits until the same person has signed in again. */
export function signedInAgain(): Promise<void> {
  hasEnded.value = true
  return new Promise((resolve) => resume.push(resolve))
}

/** Takes over a session. If it is that of another person, the page begins anew as theirs. */
export function takeSession(next: Session): void {
  const before = session.peek()
  if (before && before.user._id !== next.user._id) {
    location.reload()
    return
  }
  session.value = next
  hasEnded.value = false
  for (const go of resume.splice(0)) go()
}

/** Ends the session, here and on the server. */
export async function signOut(): Promise<void> {
  await ask(translatorNow(), 'DELETE', '/sessions', { csrfToken: session.peek()?.csrfToken })
  location.assign('/console')
}
