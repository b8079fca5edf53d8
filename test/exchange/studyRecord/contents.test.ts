/** Every table of the database is in a study record, or is left out for a reason. */
import { expect, test } from 'bun:test'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '#db/tables/index'
import { inRecord, notInRecord } from '#exchange/studyRecord/contents'

test('each table is in the list of contents or in the list of reasons, and in one of them only', () => {
  const names = Object.values(tables)
    .filter((value) => is(value, SQLiteTable))
    .map(getTableName)
  const listed = [...Object.keys(inRecord), ...Object.keys(notInRecord)]
  expect(listed.toSorted()).toEqual([...new Set(names)].toSorted())
})
