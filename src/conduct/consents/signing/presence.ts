/** What the PDF of a consent says about how it was signed: who was there, on which device, and how long each page was open. */
import type { EventRow, SessionRow } from '#conduct/consents/store'
import { type Instant, SECOND } from '#kernel/time'
import type { Writer } from '#texts/writer'

/** How long each page was open, in seconds, in the order in which the pages were first opened. */
export function pageTimes(events: readonly EventRow[], signedAt: Instant): { page: string; seconds: number }[] {
  const opened = events.flatMap(({ type, createdAt, content: { page } }) =>
    type === 'page' && typeof page === 'string' ? [{ page, at: createdAt }] : [],
  )
  const times = new Map<string, Instant>()
  for (const [index, { page, at }] of opened.entries()) {
    const until = opened[index + 1]?.at ?? signedAt
    times.set(page, (times.get(page) ?? 0) + Math.max(0, until - at))
  }
  return [...times].map(([page, time]) => ({ page, seconds: Math.round(time / SECOND) }))
}

/** Who was there when a consent was signed in person. `user`: the member of staff who opened the form. */
export type Presence = {
  user: string
  participant: string
  device: string | null
} & Pick<SessionRow, 'witness' | 'present'>

/** The lines of the PDF about a consent in person. */
export function presenceLines({ write }: Writer, { user, participant, witness, present, device }: Presence): string[] {
  return [
    write('consentPdf.inPerson', { user, participant }),
    write('consentPdf.staff', { user }),
    ...(witness === null ? [] : [write('consentPdf.witness', { name: witness })]),
    ...(present?.length ? [write('consentPdf.alsoPresent', { names: present.join(', ') })] : []),
    ...(device === null ? [] : [write('consentPdf.device', { device })]),
  ]
}

/** The lines of the PDF about the time on each page. */
export const pageLines = ({ write }: Writer, times: ReturnType<typeof pageTimes>): string[] =>
  times.map(({ page, seconds }) =>
    write('consentPdf.pageTime', { page, minutes: Math.floor(seconds / 60), seconds: seconds % 60 }),
  )
