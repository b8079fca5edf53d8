/** The world of the fuzz: one of everything, another team, callers of every kind, and the IDs of what exists. */
import { grantableWords } from '#access/keys'
import type { Id } from '#kernel/id'
import { type Random, randomFrom } from '#kernel/random'
import { parseInstant, SECOND } from '#kernel/time'
import { everything } from './everything'
import { mutations } from './fuzz.mutations'
import { type ValueSources, valuesOf } from './fuzz.values'
import type { Person } from './harness'
import { keepDeleted } from './purge'

/** The tables of the things that parameters and fields name, where the name is not that of the table without its `s`. */
const tables: Readonly<Record<string, string>> = {
  groupsInclude: 'groups',
  groupsExclude: 'groups',
  availableToGroup: 'groups',
  availableToSite: 'sites',
  assignee: 'users',
  query: 'queries',
  lane: 'taskLanes',
  message: 'outbox',
  before: 'messages',
  upTo: 'messages',
  key: 'apiKeys',
  approval: 'fileApprovals',
  brand: 'incentiveBrands',
  consentDocument: 'consentForms',
  definition: 'exportDefinitions',
  delivery: 'webhookDeliveries',
  document: 'consentForms',
  event: 'appointments',
  entry: 'foodDiaryEntries',
  heldEntry: 'heldEntries',
  issue: 'siteIssues',
  meeting: 'appointments',
  resource: 'participantResources',
  rule: 'incentiveRules',
  study: 'trials',
  transaction: 'walletTransactions',
  visit: 'monitoringVisits',
}

export type FuzzStudy = Awaited<ReturnType<typeof fuzzStudy>>

/** Makes the world. The same seed gives the same callers and the same random choices. */
export async function fuzzStudy(seed: number) {
  const random = randomFrom(seed)
  const every = await everything()
  keepDeleted(every)
  const { db, trial, team } = every
  const { $client: sqlite } = db
  const other = every.neighbours()
  const theirs = (await other.owner.do('createTrial', other.team, { name: 'Their study' }))._id
  await other.owner.do('registerParticipants', theirs, { participantId: 'X-1', password: 'correct horse' })
  await other.owner.do('createGroup', theirs, { name: 'Their arm' })
  /** The tables and views whose rows have IDs. */
  const withIds = sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
       AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_schema.name) c WHERE c.name = '_id') ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)
  const tableOf = (noun: string) =>
    tables[noun] ?? withIds.find((table) => table === `${noun}s`) ?? random.pick(withIds)
  const stored = lists(random, (table) =>
    sqlite.query<{ _id: Id }, []>(`SELECT _id FROM "${table}" ORDER BY _id`).all(),
  )

  const known: ValueSources = {
    idFor(name) {
      const noun = name.replace(/Ids?$|s$/, '')
      if ((noun === 'trial' || noun === 'permission') && random.chance(0.85)) return trial
      if (noun === 'team' && random.chance(0.85)) return team
      if (noun === 'participant' && random.chance(0.4)) return every.anna
      return stored.one(tableOf(noun))
    },
    codeOf: (dataType) => Object.entries(every.ids).find(([, _id]) => _id === dataType)?.[0],
    now: parseInstant(every.now())! / 1000,
  }
  const callers = await callersIn(every, other.owner, random)
  // A worker reads its programs when it first begins. No request is to pay for it.
  await every.owner.call('GET', `/stages/${every.stage}?format=pdf`)
  return {
    ...every,
    random,
    known,
    callers,
    randomValue: valuesOf(random, known),
    /** Remembers the links and grants in an answer, which later requests use. */
    learn(answer: unknown) {
      const text = JSON.stringify(answer) ?? ''
      const [, setup] = /\/setup\/([\w-]{43})/.exec(text) ?? []
      if (setup) every.params['setup/token'] = setup
      const [, link] = /"token":"([\w-]{43})"/.exec(text) ?? []
      if (link) every.params['stage-tokens/token'] = link
      const [, grant] = /"grant":"([\w-]{43})"/.exec(text) ?? []
      if (grant) every.bodies['POST /participants/grants/exchange'] = { grant }
    },
    mutate: mutations(random, () => stored.one(random.pick(withIds))),
    /** Goes on: the clock moves, what was created is found, sessions that ended are opened again. */
    async next(step: number) {
      every.clock(7 * SECOND)
      if (step % 40 === 0) stored.forget()
      if (step % 50 === 0) await callers.renew()
      if (step % 100 === 0) await every.service.services.tick()
    },
  }
}

/** The IDs in each table, read again after `forget`. */
function lists({ chance, pick }: Random, read: (table: string) => { _id: Id }[]) {
  const found = new Map<string, Id[]>()
  return {
    one(table: string): Id {
      const ids = found.get(table) ?? read(table).map(({ _id }) => _id)
      found.set(table, ids)
      return ids.length && chance(0.97) ? pick(ids) : 'f'.repeat(24)
    },
    forget: () => found.clear(),
  }
}

/** Callers by what they are called in a report. */
async function callersIn(every: Awaited<ReturnType<typeof everything>>, stranger: Person, { pick }: Random) {
  const { owner, trial, site, group, staff, nobody, invite, person } = every
  const named: Record<string, Person> = {
    owner,
    nobody,
    'owner of another team': stranger,
    'member of the team': invite([]),
  }
  for (const [kind, scope] of [
    ['trial', trial],
    ['trial', trial],
    ['trial', trial],
    ['site', site],
    ['group', group],
  ] as const) {
    const word = pick(grantableWords(kind))
    named[`member with ${word}`] = staff(trial, [word], scope)
  }
  /** Signs in again, as far as the account still exists. */
  async function renew() {
    const session = await every.signInStaff(owner).catch(() => undefined)
    if (session) {
      await session.call('POST', '/sessions/confirmations', { password: 'harbour lantern 71' })
      named['owner in the web app'] = session
    }
    if (session && (await named.owner!.call('GET', '/users/me')).status === 401) {
      const { body } = await session.call('POST', '/users/me/api-keys', { name: 'again' })
      named.owner = person({ Authorization: `Bearer ${body.key}` })
    }
    const participant = await every.signIn().catch(() => undefined)
    if (participant) named.participant = participant
    // Undoes locks and archiving, so that later requests are not all refused.
    await session?.call('PUT', `/trials/${trial}`, { isLocked: false, lockJustification: 'The fuzz goes on.' })
    await session?.call('PUT', `/trials/${trial}`, {
      isDatabaseLocked: false,
      databaseLockJustification: 'The fuzz goes on.',
    })
    await session?.call('PUT', `/trials/${trial}`, { isArchived: false })
  }
  await renew()
  return { named, renew }
}
