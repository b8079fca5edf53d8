/** What a report and a zip read: the places of the reader, and their files with the versions that the reader sees. */
import { unpackAccess } from '#access/packedAccess'
import type { Db } from '#db/open'
import { sitesById } from '#design/sites/store'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import {
  type ChecklistContext,
  checklistOf,
  daysOf,
  type PlaceChecklist,
  placesFor,
} from '#office/files/checklist/checklist'
import { fileScopeOf, type VisibleVersions, visibleVersionsOf } from '#office/files/rules'
import { type FileRow, type VersionRow, versionsOf } from '#office/files/store'
import { userNamesOf } from '#office/packs/records/store'
import type { Writer } from '#texts/writer'
import { listedAfter, listFiles, type Review, reviewsOf } from './store'
import type { ReportTask } from './task'

export type MasterFile = ChecklistContext & {
  task: ReportTask
  writer: Writer
  /** In order; null is the whole trial. */
  places: readonly (Id | null)[]
  sites: ReadonlyMap<Id, { id: string; name: string }>
  /** A moment by the clocks of the trial. */
  momentText(at: number): string
}

/** @throws 404 if the trial or the site was deleted */
export function masterFileFor(db: Db, task: ReportTask): MasterFile {
  const trial = found(trialById(db, task.trial), 'trial')
  const access = unpackAccess(task.access)
  const places = placesFor({ db, trial, access }, task.site)
  const rows = sitesById(
    db,
    places.flatMap((place) => place ?? []),
  )
  if (task.site)
    found(
      rows.find(({ _id }) => _id === task.site),
      'site',
    )
  const writer = writerOf(trial, task.language)
  const zone = trial.timezone ?? 'UTC'
  return {
    ...{ db, trial, access, task, writer, places, ...daysOf(trial, task.at) },
    sites: new Map(rows.map((site) => [site._id, site])),
    momentText: (at) => `${writer.moment(at, zone)} (${zone})`,
  }
}

/** The name of a place. */
export function placeText({ writer, sites }: MasterFile, place: Id | null): string {
  if (place === null) return writer.write('masterFileReport.trial', {})
  const { id, name } = sites.get(place)!
  return writer.write('masterFileReport.site', { site: `${name} (${id})` })
}

export function* checklistsIn(masterFile: MasterFile): Generator<PlaceChecklist & { place: Id | null }> {
  for (const place of masterFile.places) yield { place, ...checklistOf(masterFile, place) }
}

/** A version with what people decided about it, and the name of who set its status. */
export type ReportVersion = VersionRow & { reviews: Review[]; statusByName: string }
/** A file with the versions that the reader sees. */
export type ReportFile = { file: FileRow; visibleVersions: VisibleVersions; versions: ReportVersion[] }

const STEP = 200

/** Lists the files. Returns how many there are; `filesIn` then reads them. */
export const listIn = ({ db, trial, access, places }: MasterFile): number =>
  listFiles(
    db,
    trial._id,
    places.map((place) => place ?? trial._id),
    fileScopeOf(access),
  )

/** The listed files by place, type and name, in pages that are read while the caller asks for more. */
export function* filesIn({ db, access }: MasterFile, count: number): Generator<ReportFile[]> {
  for (let after = 0; after < count; after += STEP) {
    const rows = listedAfter(db, after, STEP)
    const seen = rows.map((file) => ({ file, visibleVersions: visibleVersionsOf(access, file) }))
    const versions = versionsOf(
      db,
      seen.map(({ file, visibleVersions }) => ({ _id: file._id, visibleVersions })),
    )
    const reviews = reviewsOf(
      db,
      seen.map(({ file, visibleVersions }) => ({ _id: file._id, isWhole: visibleVersions === 'all' })),
    )
    const names = userNamesOf(db, [...new Set([...versions.values()].flat().map(({ statusBy }) => statusBy))])
    const versionOf = (version: VersionRow): ReportVersion => ({
      ...version,
      reviews: reviews.get(version._id) ?? [],
      statusByName: names.get(version.statusBy) ?? version.statusBy,
    })
    yield seen.map((each) => ({ ...each, versions: (versions.get(each.file._id) ?? []).map(versionOf) }))
  }
}
