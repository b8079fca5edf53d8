/** Workbooks as other programs write them: openpyxl, and pandas with it. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '#exchange/generation/text/extract'
import { readPlan } from '#exchange/imports/read'
import { hasPython, inFolderLater, python } from '../../writers/folder'

const LABEL = 'Größe – 身長 😀'

const SURVEY = [
  ['type', 'name', 'label'],
  ['integer', 'height', LABEL],
]

const program = `
import json, sys, openpyxl, pandas
rows = json.loads(sys.argv[3])
book = openpyxl.Workbook()
book.active.title = 'survey'
for row in rows: book.active.append(row)
book.save(sys.argv[1])
pandas.DataFrame(rows[1:], columns=rows[0]).to_excel(sys.argv[2], sheet_name='survey', index=False)
`
const isInstalled = ['openpyxl', 'pandas'].every(hasPython)

test.skipIf(!isInstalled)('workbooks of openpyxl and pandas are read with all their characters (needs both)', () =>
  inFolderLater(async (folder) => {
    const paths = ['openpyxl.xlsx', 'pandas.xlsx'].map((name) => join(folder, name))
    expect(python(program, ...paths, JSON.stringify(SURVEY)).error).toBe('')
    for (const path of paths) {
      const file = new Uint8Array(readFileSync(path))
      expect(readPlan('xlsform', file).dataTypes.map(({ name }) => name)).toEqual([LABEL])
      expect(await textOf('a.xlsx', 'xlsx', file)).toContain(LABEL)
    }
  }),
)
