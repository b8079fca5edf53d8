import first from './0001-first.sql' with { type: 'text' }
import officeAndConnections from './0002-office-and-connections.sql' with { type: 'text' }
import protection from './0003-protection.sql' with { type: 'text' }

/** Changes tables and indexes. While it runs there are no triggers and views; they are created again afterwards. */
export type Migration = { name: string; sql: string }

/** All migrations, in order. The version of a database is how many of them were applied. Never edit a released one. */
export const migrations: readonly Migration[] = [
  { name: '0001-first', sql: first },
  { name: '0002-office-and-connections', sql: officeAndConnections },
  { name: '0003-protection', sql: protection },
]
