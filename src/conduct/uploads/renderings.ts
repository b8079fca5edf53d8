/** Renderings of documents of the master file: where they are kept, and what a link to one serves. */
import { join } from 'node:path'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { masterFileVersions } from '#db/tables/index'
import { uploadPath } from '#storage/names'

/** The name of the rendering of a version. Without an extension it is the document itself: an image. */
export const renderingName = (version: string, extension?: 'html' | 'pdf'): string =>
  extension ? `${version}.${extension}` : version

const NAME = /^([0-9a-f]{24})(?:\.(?:html|pdf))?$/

/** The version of which a name is that of a rendering: null if it is gone, undefined if the name is of something else. */
function versionOf(db: Db, name: string) {
  const _id = NAME.exec(name)?.[1]
  return _id === undefined ? undefined : (rowById(db, masterFileVersions, _id) ?? null)
}

/** Whether a file among the exports is the rendering of a version that is gone. */
export const isOrphanRendering = (db: Db, name: string): boolean => versionOf(db, name) === null

/** The file that a link to a rendering serves; undefined if it is gone, or its version. */
export function renderingByName(db: Db, places: { files: string; exports: string }, name: string) {
  const version = versionOf(db, name)
  if (!version) return undefined
  const path = name === version._id ? uploadPath(places.files, version.storedName) : join(places.exports, name)
  return { path, name: version.name, type: 'application/octet-stream', isRendering: true }
}
