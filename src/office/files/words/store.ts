/** The index of words, and the texts of versions from which it is made. */
import type { Db } from '#db/open'
import { rowWhere, updateWhere } from '#db/rows'
import { masterFileVersionTexts } from '#db/tables/index'
import { type Connection, markRowsReplaced } from '#db/textIndex'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { indexWords, normaliseText, placeWord } from './tokens'

type TextRow = typeof masterFileVersionTexts.$inferSelect
export type TextState = TextRow['state']

/** What became of the text of a version. `isTextCut`: the document goes on after the text that was read. */
export type VersionText = { textState: TextState; textProblem: string | null; isTextCut: boolean }

/** By the `_id` of the version. */
export function versionTextsOf(db: Db, versions: readonly Id[]): Map<Id, VersionText> {
  const rows = db.$client
    .query<{ version: Id; state: TextState; problem: string | null; isCut: number | null }, [{ versions: string }]>(
      `SELECT t.version, t.state, t.problem, x.isCut FROM json_each($versions) j
       CROSS JOIN masterFileVersionTexts t ON t.version = j.value LEFT JOIN masterFileTexts x ON x.key = t.text`,
    )
    .all({ versions: JSON.stringify(versions) })
  return new Map(
    rows.map(({ version, state, problem, isCut }) => [
      version,
      { textState: state, textProblem: problem, isTextCut: isCut === 1 },
    ]),
  )
}

type NamedFile = { _id: Id; trial: Id; site: Id | null; name: string; tags: readonly string[] }

/** Puts the words of the name and the tags of a file into the index, in place of those from before. */
export const indexNames = (db: Db, { _id, trial, site, name, tags }: NamedFile): void =>
  void db.$client
    .query<unknown, [Record<string, string>]>(
      `INSERT OR REPLACE INTO masterFileNameWords (rowid, words, tagWords, place)
       SELECT key, $words, $tagWords, $place FROM masterFileKeys WHERE file = +$_id`,
    )
    .run({
      ...{ _id, place: placeWord(site), words: indexWords(trial, normaliseText(name)) },
      tagWords: indexWords(trial, normaliseText(tags.join('\n'))),
    })

/** Notes that names were replaced: their words are still in the pages of the index, until a merge. */
export const recordReplacedNames = (db: Db): void => markRowsReplaced(db, 'masterFileNameWords')

/** A version as the index has it. */
export type WaitingVersion = Pick<TextRow, 'version' | 'state' | 'text' | 'attempts'> & {
  key: number
  trial: Id
  site: Id | null
  name: string
  storedName: string
  originalName: string
  mimeType: string
  size: number
  sha256: string
}

/** The versions that background work looks at next: first those that have waited longest. */
export const waitingVersions = (db: Db, now: Instant, limit: number): WaitingVersion[] =>
  db.$client
    .query<WaitingVersion, [{ now: Instant; limit: number }]>(
      `SELECT t.key, t.version, t.state, t.text, t.attempts, v.trial, f.site, v.name, v.storedName, v.originalName, v.mimeType,
         v.size, v.sha256
       FROM masterFileVersionTexts t CROSS JOIN masterFileVersions v ON v._id = t.version CROSS JOIN masterFiles f ON f._id = v.file
       WHERE t.dueAt <= +$now ORDER BY t.dueAt, t.key LIMIT +$limit`,
    )
    .all({ now, limit })

/** What became of the text of another version with the same bytes in the trial; undefined if none was read. */
export function textOfSameBytes(db: Db, { version, trial, sha256 }: WaitingVersion, tries: number) {
  const row = db.$client
    .query<
      Pick<TextRow, 'state' | 'problem' | 'text'> & { originalName: string; mimeType: string },
      [Record<string, string | number>]
    >(
      `SELECT t.state, t.problem, t.text, v.originalName, v.mimeType FROM masterFileVersions v
       CROSS JOIN masterFileVersionTexts t ON t.version = v._id
       WHERE v.trial = +$trial AND v.sha256 = +$sha256 AND t.version <> +$version AND t.state <> 'waiting'
         AND t.attempts < +$tries LIMIT 1`,
    )
    .get({ version, trial, sha256, tries })
  return row ?? undefined
}

/** Stores a text, and returns its key. */
export const insertText = (db: Db, text: string, isCut: boolean): number =>
  Number(
    db.$client
      .query<unknown, [{ text: string; isCut: boolean }]>(
        'INSERT INTO masterFileTexts (text, isCut) VALUES ($text, $isCut)',
      )
      .run({ text, isCut }).lastInsertRowid,
  )

/** The text with this key. */
export const textByKey = (db: Db, key: number): string =>
  db.$client
    .query<{ text: string }, [{ key: number }]>('SELECT text FROM masterFileTexts WHERE key = +$key')
    .get({ key })!.text

/** Whether the version is still there, in the state in which it was found. */
export const isUnchanged = (db: Db, { version, state }: WaitingVersion): boolean =>
  rowWhere(db, masterFileVersionTexts, { version, state }) !== undefined

type TextChange = Partial<Pick<TextRow, 'state' | 'problem' | 'text' | 'attempts' | 'dueAt'>>

export const updateText = (db: Db, version: Id, change: TextChange): void =>
  void updateWhere(db, masterFileVersionTexts, { version }, change)

/** Puts the words of a version into the index: those of its name, and those of its text, if one was read. */
export const indexVersion = (db: Db, { key, trial, site, name }: WaitingVersion, text: string): void =>
  void db.$client
    .query<unknown, [Record<string, string | number>]>(
      'INSERT OR REPLACE INTO masterFileTextWords (rowid, words, place) VALUES ($key, $words, $place)',
    )
    .run({ key, place: placeWord(site), words: indexWords(trial, `${normaliseText(name)}\n${text}`) })

/** The indexes of words, which `indexMerges` keeps. */
export const wordIndexes = ['masterFileNameWords', 'masterFileTextWords'] as const

/** Empties the index, and makes every version due whose text was read or could not be. */
export function emptyIndexes(db: Db): void {
  for (const index of wordIndexes) db.$client.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
  db.$client.run(`UPDATE masterFileVersionTexts SET dueAt = 0 WHERE state <> 'waiting'`)
}

/** Adds the rows of files and versions that have none: of a database that was brought back from a damaged one. */
export function addMissingRows(db: Db): void {
  const { missing } = db.$client
    .query<{ missing: number }, []>(
      `SELECT (SELECT count(*) FROM masterFiles) - (SELECT count(*) FROM masterFileKeys)
         + (SELECT count(*) FROM masterFileVersions) - (SELECT count(*) FROM masterFileVersionTexts) AS missing`,
    )
    .get()!
  if (!missing) return
  db.$client.run('INSERT INTO masterFileKeys (file) SELECT _id FROM masterFiles ORDER BY _id ON CONFLICT DO NOTHING')
  db.$client.run(
    `INSERT INTO masterFileVersionTexts (key, version, state, dueAt)
     SELECT k.key * 1024 + v.number, v._id, 'waiting', 0 FROM masterFileVersions v JOIN masterFileKeys k ON k.file = v.file
     WHERE TRUE ON CONFLICT DO NOTHING`,
  )
}

/** Files after this key, in the order of their keys. */
export const filesAfter = (db: Db, after: number, limit: number): (NamedFile & { key: number })[] =>
  db.$client
    .query<{ tags: string } & Omit<NamedFile, 'tags'> & { key: number }, [{ after: number; limit: number }]>(
      `SELECT k.key, f._id, f.trial, f.site, f.name, f.tags FROM masterFileKeys k CROSS JOIN masterFiles f ON f._id = k.file
       WHERE k.key > +$after ORDER BY k.key LIMIT +$limit`,
    )
    .all({ after, limit })
    .map((row) => ({ ...row, tags: JSON.parse(row.tags) }))

type WordCounts = {
  files: number
  names: number
  versions: number
  texts: number
  indexed: number
  due: number
  strays: number
}

/** How many rows there are, and how many of them the index has. */
export const wordCounts = ({ $client }: Connection): WordCounts =>
  $client
    .query<WordCounts, []>(
      `SELECT (SELECT count(*) FROM masterFileKeys) AS files, (SELECT count(*) FROM masterFileNameWords_docsize) AS names,
         (SELECT count(*) FROM masterFileVersionTexts) AS versions, (SELECT count(*) FROM masterFileTexts) AS texts,
         (SELECT count(*) FROM masterFileTextWords_docsize) AS indexed,
         (SELECT count(*) FROM masterFileVersionTexts WHERE dueAt IS NOT NULL) AS due,
         (SELECT count(*) FROM masterFileTextWords_docsize w WHERE w.id NOT IN (SELECT key FROM masterFileVersionTexts)) AS strays`,
    )
    .get()!

/** A file or version whose rows for the index are not there, or a text that no version has; undefined if there is none. */
export function wordsFault({ $client }: Connection): string | undefined {
  const row = $client
    .query<{ fault: string }, []>(
      `SELECT 'file ' || f._id || ' has no number in the index of words' AS fault FROM masterFiles f
         WHERE NOT EXISTS (SELECT 1 FROM masterFileKeys WHERE file = f._id)
       UNION ALL SELECT 'version ' || v._id || ' has no row about its text' FROM masterFileVersions v
         WHERE NOT EXISTS (SELECT 1 FROM masterFileVersionTexts t CROSS JOIN masterFileKeys k ON k.file = v.file
           WHERE t.version = v._id AND t.key = k.key * 1024 + v.number)
       UNION ALL SELECT 'version ' || version || ' does not agree with its text' FROM masterFileVersionTexts
         WHERE (state = 'read') <> (text IS NOT NULL) OR (state = 'failed') <> (problem IS NOT NULL)
           OR (state = 'waiting' AND dueAt IS NULL)
       UNION ALL SELECT 'there is a text that no version has' FROM masterFileTexts
         WHERE NOT EXISTS (SELECT 1 FROM masterFileVersionTexts WHERE text = masterFileTexts.key)
       LIMIT 1`,
    )
    .get()
  return row?.fault
}
