import first from './0001-first.sql' with { type: 'text' }

/** Every migration, in order; a database's version is how many of them it has had. None is ever edited once released. */
export const migrations: readonly { name: string; sql: string }[] = [{ name: '0001-first', sql: first as string }]
