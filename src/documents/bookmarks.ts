/** The outline of a PDF, which readers show beside the pages: one level of bookmarks. */
import { type PDFDocument, PDFHexString, PDFName, PDFNull, PDFNumber } from '@cantoo/pdf-lib'
import type { Bookmark } from './page'

/** Adds the outline, open when the document is opened. */
export function addBookmarks(document: PDFDocument, bookmarks: readonly Bookmark[]): void {
  if (!bookmarks.length) return
  const { context, catalog } = document
  const root = context.nextRef()
  const refs = bookmarks.map(() => context.nextRef())
  for (const [at, { title, page, top }] of bookmarks.entries()) {
    const [previous, next] = [refs[at - 1], refs[at + 1]]
    const item = context.obj({
      Title: PDFHexString.fromText(title.toWellFormed()),
      Parent: root,
      Dest: [page.ref, PDFName.of('XYZ'), PDFNull, PDFNumber.of(top), PDFNull],
      ...(previous ? { Prev: previous } : {}),
      ...(next ? { Next: next } : {}),
    })
    const own = refs[at]
    if (own) context.assign(own, item)
  }
  const [first, last] = [refs[0], refs.at(-1)]
  if (first && last)
    context.assign(root, context.obj({ Type: 'Outlines', First: first, Last: last, Count: refs.length }))
  catalog.set(PDFName.of('Outlines'), root)
  catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'))
}
