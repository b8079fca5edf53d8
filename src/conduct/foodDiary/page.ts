/** A page of a food diary, as staff and the participant read it. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { ValueOf } from '#wire/schema'
import { type DiaryWindow, PAGE } from './model'
import { daysOf, entryView } from './rules'
import { entriesOf } from './store'

export const PAGE_DESCRIPTION = `By day and time, ${PAGE} entries a page. \`date\` for one day; \`from\` and \`to\` for several, both included.`

/** The entries of a page of these days. @throws 422 if the days contradict each other */
export function diaryPage(db: Db, participant: Id, { page = 1, ...days }: ValueOf<typeof DiaryWindow>) {
  const rows = entriesOf(db, participant, daysOf(days), PAGE + 1, (page - 1) * PAGE)
  return { foodDiaryEntries: rows.slice(0, PAGE).map(entryView), page, nextPageAvailable: rows.length > PAGE }
}
