import { needsOf } from '#access/rule'
import type { AnyOperation, CallerKind, Need } from '#http/operation'

const CALLERS: Record<CallerKind, string> = {
  staff: 'staff, with an API key or in the web app',
  session: 'staff in the web app, not with an API key',
  participant: 'a participant',
  anyone: 'anyone, without signing in',
}

const codeList = (list: readonly string[]) => list.map((each) => `\`${each}\``).join(' or ')

const needText = (each: Need) =>
  typeof each === 'string' ? `\`${each}\`` : `\`${each.anywhere}\` (on a site or group is enough)`

/** What a reader must know before calling an operation: one sentence for each fact. */
export function operationDescription(op: AnyOperation, who: readonly CallerKind[]): string[] {
  const needs = needsOf(op)
  const byField = Object.entries(op.needsByField ?? {}).filter(([, word]) => word !== 'nothing')
  return [
    op.description,
    `For ${who.map((each) => CALLERS[each]).join(', or for ')}.`,
    needs.length && `Needs ${needs.map(needText).join(' or ')}.`,
    byField.length &&
      `Fields that need a permission of their own: ${byField.map(([field, word]) => `${field} (\`${word}\`)`).join(', ')}.`,
    op.fresh && 'Needs an identity confirmation of the last five minutes.',
    op.feature && `Needs the team's feature ${codeList([op.feature])}.`,
    op.changes === 'configuration' && 'Refused while the trial is locked.',
    op.changes === 'data' && 'Refused while the database is locked.',
    op.limit !== undefined && `At most ${op.limit} a minute${who.includes('anyone') ? ' from an address' : ''}.`,
    op.secret === true &&
      'Its answer holds a secret: no answer is kept for an `Idempotency-Key`, and a repeated request is performed again.',
    op.keepsKey && 'Its `Idempotency-Key` is kept for ever.',
    op.failures !== undefined && `At most ${op.failures} wrong links a minute from an address.`,
    op.attempts && 'Failed attempts are counted: after ten, the account must wait, longer with each further one.',
    typeof op.logs === 'string' && `Leaves an entry ${codeList([op.logs])} in the audit trail.`,
    typeof op.logs === 'function' && 'Leaves an entry in the audit trail, depending on its query.',
  ].filter((sentence): sentence is string => Boolean(sentence))
}
