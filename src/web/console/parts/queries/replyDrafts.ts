/** What somebody is writing to a query: it stays while they look at others, and while a request fails. Never in storage: computers are shared. */
import { signal } from '@preact/signals'

const drafts = signal<ReadonlyMap<string, string>>(new Map())

/** The text for a query (`_id`), or for a new one about a field. */
export const draftOf = (subject: string): string => drafts.value.get(subject) ?? ''

export function keepDraft(subject: string, text: string): void {
  const next = new Map(drafts.peek())
  if (text) next.set(subject, text)
  else next.delete(subject)
  drafts.value = next
  const listen = next.size ? addEventListener : removeEventListener
  listen('beforeunload', askFirst)
}

/** The browser asks before the page is left with something that was not sent. */
const askFirst = (event: Event) => event.preventDefault()
