/** What a server does about changes of the machine's clock: the service's log, and mail to the operator (docs/running.md, "The clock"). */
import { allTeamAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import { instantText } from '#kernel/time'
import { type MessageContent, mailAccount, mailOperator } from '#outbox/messages'
import { writerFor } from '#texts/writer'
import type { ClockChange, HeldClock } from './heldClock'
import { clockAcceptedIn } from './store'

type Step = Extract<ClockChange, { kind: 'step' }>

/** One line for the log of the process. */
function lineOf(change: ClockChange): string {
  const [expected, shown] = [instantText(Math.floor(change.expected)), instantText(Math.floor(change.shown))]
  if (change.kind === 'return') return `the clock of the machine is right again: ${shown}`
  if (change.kind === 'follow')
    return `the server follows the clock of the machine, which says ${shown}; its own time was ${expected}`
  const then = change.isFollowed ? 'the server follows it' : 'the server goes on with its own time'
  return `the clock of the machine jumped from ${expected} to ${shown}; ${then}`
}

function mailOf(step: Step, url: string, language: string | null): MessageContent {
  const { write, moment } = writerFor(language)
  const at = (instant: number) => `${moment(Math.floor(instant), 'UTC')} UTC`
  const values = { url, from: at(step.expected), to: at(step.shown) }
  return {
    subject: write('account.clock.subject', {}),
    body: step.isFollowed
      ? write('account.clock.followed', values)
      : write('account.clock.body', { ...values, until: at(step.until) }),
  }
}

/** Enters a change in the service's log, and notifies the operator of a step: at the configured address, or else the admins of the teams. */
function record(db: Db, change: ClockChange, { now, url, operator }: { now: number; url: string; operator?: string }) {
  const { kind, expected, shown, ...rest } = change
  const event = { ...rest, expected: Math.floor(expected), clock: Math.floor(shown) }
  const type = { step: 'clockStepped', return: 'clockReturned', follow: 'clockFollowed' }[kind]
  appendEntry(db, { chain: 'service', createdAt: now, type, userType: 'system', event })
  if (change.kind !== 'step') return
  if (operator !== undefined) mailOperator(db, now, operator, mailOf(change, url, null))
  else for (const user of allTeamAdmins(db)) mailAccount(db, now, user, mailOf(change, url, user.language))
}

/**
 * Makes a function that is called each second: it takes up what an operator confirmed in another process, and records changes. What
 * cannot be written, since the clock is behind the newest entry, is in the log of the process only.
 * @param say called with one line for each change
 */
export function clockReports(
  services: Services,
  clock: HeldClock,
  { operator, report }: { operator?: string | undefined; report(line: string): void },
): () => Promise<void> {
  const { db, commit } = services
  let accepted = clockAcceptedIn(db)
  return async () => {
    const isConfirmed = !clock.isSure() && clockAcceptedIn(db) !== accepted
    if (isConfirmed) clock.accept()
    if (isConfirmed || clock.isSure()) accepted = clockAcceptedIn(db)
    for (const change of clock.takeChanges()) {
      report(lineOf(change))
      const context = { now: clock.now(), url: services.publicUrl, ...(operator !== undefined && { operator }) }
      await commit(() => record(db, change, context))
    }
  }
}
