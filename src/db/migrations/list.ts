import first from './0001-first.sql' with { type: 'text' }

/** Changes tables and indexes. Triggers and views are made anew after it, and there are none while it runs. */
export type Migration = { name: string; sql: string }

/** Every migration, in order; a database's version is how many of them it has had. None is ever edited once released. */
export const migrations: readonly Migration[] = [{ name: '0001-first', sql: first }]
