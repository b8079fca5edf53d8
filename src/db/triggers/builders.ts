/** Functions that build triggers. Each returns the statements that create one or more of them. */

type TriggerEvent = 'INSERT' | 'UPDATE' | 'DELETE'

/**
 * One trigger.
 * @param event when it fires, such as `AFTER UPDATE OF name`
 * @param body one or more statements, without the last semicolon
 */
export const trigger = (name: string, event: string, table: string, body: string, when = ''): string =>
  `CREATE TRIGGER ${name} ${event} ON ${table}${when && ` WHEN ${when}`} BEGIN ${body}; END`

const eventNames = { INSERT: 'Insert', UPDATE: 'Update', DELETE: 'Delete' } as const

/** One trigger for each of the events. `body` receives the name of the row: OLD after a deletion, else NEW. */
export const afterEvents = (
  name: string,
  table: string,
  events: readonly TriggerEvent[],
  body: (row: string) => string,
  of = '',
): string[] =>
  events.map((event) =>
    trigger(
      `${name}${eventNames[event]}`,
      `AFTER ${event}${event === 'UPDATE' ? of : ''}`,
      table,
      body(event === 'DELETE' ? 'OLD' : 'NEW'),
    ),
  )

export const ALL_EVENTS: readonly TriggerEvent[] = ['INSERT', 'DELETE', 'UPDATE']
export const INSERT_AND_DELETE: readonly TriggerEvent[] = ['INSERT', 'DELETE']

/** The statement that refuses the change, with this message. */
export const abortWith = (why: string) => `SELECT RAISE(ABORT, '${why}')`

/** Refuses every update, or those of the columns in `of`, or those for which `when` is true. */
export const refuseUpdates = (
  table: string,
  why: string,
  { of = '', when = '', name = `${table}AreNotChanged` }: { of?: string; when?: string; name?: string } = {},
): string => trigger(name, `BEFORE UPDATE${of && ` OF ${of}`}`, table, abortWith(why), when)

/** Refuses a deletion for which `when` is true. */
export const refuseDeletions = (table: string, why: string, when: string, name = `${table}AreKept`): string =>
  trigger(name, 'BEFORE DELETE', table, abortWith(why), when)

/**
 * Refuses changes of these columns, unless their row is about a participant whose personal information was erased, or is of a consent that was.
 * @param participants their `_id`s (SQL); @param consents in the same way
 */
export const allowErasureOnly = (
  table: string,
  why: string,
  columns: string,
  participants: string,
  consents?: string,
): string =>
  refuseUpdates(table, why, {
    name: `${table}AreOnlyErased`,
    of: columns,
    when: [
      `NOT EXISTS (SELECT 1 FROM participants WHERE erasedAt IS NOT NULL AND _id IN (${participants}))`,
      ...(consents ? [`NOT EXISTS (SELECT 1 FROM consents WHERE erasedAt IS NOT NULL AND _id IN (${consents}))`] : []),
    ].join(' AND '),
  })

/** The condition that a table has a row with this `_id` (an SQL expression). */
export const rowExists = (table: string, _id: string) => `EXISTS (SELECT 1 FROM ${table} WHERE _id = ${_id})`

/** The condition that the trial of a row is there, and is not being purged: history is kept as long. */
export const IN_TRIAL = 'EXISTS (SELECT 1 FROM trials WHERE _id = OLD.trial AND purgedAt IS NULL)'

/** A random version. A counter would give the number of a change that was rolled back to a later change. */
export const RANDOM_VERSION = 'abs(random() % 9007199254740991)'

/** Sets the cache version of that name (an SQL expression) to a new value, and inserts it if there is none. */
const newVersion = (name: string) =>
  `INSERT INTO cacheVersions VALUES (${name}, ${RANDOM_VERSION}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

/** A change of these rows, or of the columns in `of`, invalidates the cached access of all accounts. */
export const accessTriggers = (table: string, of = ''): string[] =>
  afterEvents(`${table}Access`, table, ALL_EVENTS, () => newVersion(`'access'`), of && ` OF ${of}`)

/** A change of these rows gives the trial's configuration a new revision. */
export const revisionTriggers = (table: string): string[] =>
  afterEvents(
    `${table}Revision`,
    table,
    ALL_EVENTS,
    (row) => `UPDATE trials SET revision = ${RANDOM_VERSION} WHERE _id = ${row}.trial`,
  )

/** Keeps the number of rows in a column of the row that they belong to. */
export const countRows = (table: string, owners: string, column: string, key: string): string[] =>
  afterEvents(`${table}Count`, table, INSERT_AND_DELETE, (row) => {
    const by = row === 'NEW' ? '+ 1' : '- 1'
    return `UPDATE ${owners} SET ${column} = ${column} ${by} WHERE _id = ${row}.${key}`
  })

/** A participant's progress and reminders depend on these rows: after a change, they are due for recalculation. */
export const progressTriggers = (table: string, events: readonly TriggerEvent[]): string[] =>
  afterEvents(
    `${table}Progress`,
    table,
    events,
    (row) => `UPDATE participants SET progressDueAt = 0 WHERE _id = ${row}.participant`,
  )

/** Gives a trial's list of participants a new cache version. Cached totals of searches depend on it. */
export const newRosterVersion = (trial: string) => newVersion(`'roster ' || ${trial}`)

/** A change of these rows, which a search may filter by, gives the trial's list of participants a new cache version. */
export const rosterTriggers = (table: string): string[] =>
  INSERT_AND_DELETE.map((event) => {
    const participant = `${event === 'DELETE' ? 'OLD' : 'NEW'}.participant`
    const trial = `(SELECT trial FROM participants WHERE _id = ${participant})`
    return trigger(
      `${table}Roster${eventNames[event]}`,
      `AFTER ${event}`,
      table,
      newRosterVersion(trial),
      rowExists('participants', participant),
    )
  })

/** Deletes the permissions on a site or group when it is deleted. */
export const deletePermissionsOf = (table: string): string =>
  trigger(
    `${table}ScopeDelete`,
    'AFTER DELETE',
    table,
    `DELETE FROM permissions WHERE trial = OLD.trial AND scope = OLD._id;
  DELETE FROM unblindingGrants WHERE trial = OLD.trial AND scope = OLD._id;
  UPDATE roles SET permissions = json_remove(permissions, '$."' || OLD._id || '"')
    WHERE trial = OLD.trial AND instr(permissions, OLD._id)`,
  )

/** The assignment that adds 1 to a column or subtracts 1. */
export const changeBy = (column: string, by: '+ 1' | '- 1') => `${column} = ${column} ${by}`

/** The statement that notes that the pages of an index of texts hold words of deleted rows, which a merge takes out. */
export const markMergeDue = (index: string) =>
  `INSERT INTO cursors VALUES ('${index}', 1) ON CONFLICT (name) DO UPDATE SET value = 1`

/** Several statements as the body of one trigger. */
export const joinStatements = (...statements: string[]): string => statements.join(';\n  ')
