/** Consents as lists of staff. */
import { and, count, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { VisibleScope } from '#access/caller'
import { participantInScopes, withinScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { newestPendingDeletion } from '#db/pendingDeletions'
import { consentForms, consents } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { ConsentRow } from './consentStore'

/** `address`: a part of one, as `searchedAddress` returns it. `scopes`: the participants whose consents are visible. A consent that has no participant yet is visible only if all participants are. */
export type ConsentSearch = {
  trial: Id
  form?: Id | undefined
  address?: string | undefined
  scopes: readonly VisibleScope[]
}

/** The consents of a trial with an address that has this text in it. Each address is read from its index, as rows hold whole drawings. */
function addressCondition(trial: Id, part: string): SQL {
  const among = (column: typeof consents.email | typeof consents.phone | typeof consents.whatsapp) =>
    sql`SELECT rowid FROM ${consents} WHERE ${consents.trial} = ${trial} AND ${column} IS NOT NULL AND instr(${column}, ${part})`
  const { email, phone, whatsapp } = consents
  return sql`${consents}.rowid IN (${among(email)} UNION ALL ${among(phone)} UNION ALL ${among(whatsapp)})`
}

function condition({ trial, form, address, scopes }: ConsentSearch): SQL | undefined {
  return and(
    eq(consents.trial, trial),
    form === undefined ? undefined : eq(consents.form, form),
    address === undefined ? undefined : addressCondition(trial, address),
    participantInScopes(scopes, consents.participant),
  )
}

/** A page of consents, newest first. */
export const consentPage = (db: Db, search: ConsentSearch, most: number, offset: number): ConsentRow[] =>
  db.select().from(consents).where(condition(search)).orderBy(desc(consents._id)).limit(most).offset(offset).all()

/** How many consents a search finds. Of all consents of a trial, the forms know the number. */
export function consentTotal(db: Db, search: ConsentSearch): number {
  const { trial, form, address, scopes } = search
  const isWhole = address === undefined && scopes.every((scope) => scope === 'all')
  if (isWhole && newestPendingDeletion(db, trial) === null) {
    const of = and(eq(consentForms.trial, trial), form === undefined ? undefined : eq(consentForms._id, form))
    const total = sql<number>`ifnull(sum(${consentForms.consentCount}), 0)`
    return db.select({ total }).from(consentForms).where(of).get()?.total ?? 0
  }
  return db.select({ total: count() }).from(consents).where(condition(search)).get()?.total ?? 0
}

/** The next consents after an `_id`, oldest first. @param among only these, and of these participants; undefined for all */
export const consentsAfter = (
  db: Db,
  search: ConsentSearch,
  among: { ids?: readonly Id[] | undefined; participants?: readonly Id[] | undefined },
  after: Id,
  most: number,
): ConsentRow[] =>
  db
    .select()
    .from(consents)
    .where(
      and(
        condition(search),
        gt(consents._id, after),
        among.ids && inArray(consents._id, [...among.ids]),
        among.participants && inArray(consents.participant, [...among.participants]),
      ),
    )
    .orderBy(consents._id)
    .limit(most)
    .all()

export type ConsentStatus = {
  participant: Id
  participantId: string
  consent: Id | null
  version: number | null
  signedAt: number | null
}

/**
 * The consent that counts of each participant `p`: of those that are not withdrawn the one with the newest version of the form, however
 * late an older version was signed on another device.
 */
const COUNTING = `(SELECT c._id FROM consents c WHERE c.participant = p._id AND c.form = $form AND c.withdrawnAt IS NULL
  ORDER BY c.version DESC, c._id DESC LIMIT 1)`

type StatusSearch = { trial: Id; form: Id; scopes: readonly VisibleScope[]; after: string; most: number }

/**
 * The next participants after an `_id`, each with the version that they signed. Those who are archived or withdrawn are left out.
 * @param scopes participants must be in each of them
 */
export function consentStatuses(db: Db, { trial, form, scopes, after, most }: StatusSearch): ConsentStatus[] {
  const { sql, bound } = withinScopes(scopes, 'p._id')
  return db.$client
    .query<ConsentStatus, [Record<string, string | number>]>(
      `SELECT q.participant, q.participantId, c._id AS consent, c.version, c.createdAt AS signedAt FROM (
         SELECT p._id AS participant, p.id AS participantId, ${COUNTING} AS counting FROM participants p
         WHERE p.trial = +$trial AND p._id > $after AND p.isArchived = 0 AND p.isWithdrawn = 0 ${sql}
         ORDER BY p._id LIMIT +$most) q
       LEFT JOIN consents c ON c._id = q.counting ORDER BY q.participant`,
    )
    .all({ trial, form, after, most, ...bound })
}
