/** Files that are small and take time or memory without end to read. They are made here, so that none is in the repository. */
import { deflateSync } from 'node:zlib'
import { zipped } from './imports/archive'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'

const packaged = (main: string, type: string, parts: Record<string, string>) =>
  zipped({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}" Target="${main}"/></Relationships>`,
    ...parts,
  })

/** A Word document of so many characters of paragraphs: 1,000 times smaller as a file. */
export function wordBomb(characters: number): Uint8Array {
  const paragraph = '<w:p><w:r><w:t>a</w:t></w:r></w:p>'
  const body = paragraph.repeat(characters / paragraph.length)
  const document = `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
  return packaged('word/document.xml', 'wordprocessingml.document', { 'word/document.xml': document })
}

/** A PDF of so many pages that all show the same content: so many times what is given, as it stands between BT and ET. */
export function pdfBomb(pages: number, times: number, shown = '1 0 0 1 9 9 Tm (a) Tj '): Uint8Array {
  const content = deflateSync(Buffer.from(`BT /F1 12 Tf ${shown.repeat(times)}ET`))
  const kids = Array.from({ length: pages }, (_, n) => `${n + 5} 0 R`).join(' ')
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
    Buffer.concat([
      Buffer.from(`<</Filter/FlateDecode/Length ${content.length}>>stream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from(
      { length: pages },
      () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>',
    ),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let at = parts[0]!.length
  const add = (piece: Buffer) => {
    parts.push(piece)
    at += piece.length
  }
  objects.forEach((object, n) => {
    places.push(at)
    add(Buffer.from(`${n + 1} 0 obj\n`))
    add(Buffer.from(object))
    add(Buffer.from('\nendobj\n'))
  })
  const table = places.map((place) => `${`${place}`.padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`))
  parts.push(
    Buffer.from(
      `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at - Buffer.byteLength(table) - `xref\n0 ${size}\n0000000000 65535 f \n`.length}\n%%EOF`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

/** A workbook whose one sheet has so many cells. */
export function workbookBomb(rows: number, columns: number): Uint8Array {
  const row = `<row>${'<c><v>1</v></c>'.repeat(columns)}</row>`
  const sheet = `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${row.repeat(rows)}</sheetData></worksheet>`
  return packaged('xl/workbook.xml', 'spreadsheetml.sheet', {
    'xl/workbook.xml': `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="survey" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
  })
}
