/** The checklist of essential records on the wire (docs/essential-records.md, "The checklist"). */
import { fileTypes, versionStatuses } from '#office/files/model'
import {
  day,
  either,
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { essentialRecords } from './records'
import { sources, stages } from './recordType'
import { states } from './rules'
import { MOST_FILES } from './store'

/** The most places in a page of the checklist. */
export const PLACES = 50
const PLACES_USUALLY = 20

export const ChecklistQuery = shape({
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(withDescription(`Places in a page; the default is ${PLACES_USUALLY}.`, whole(1, PLACES))),
  site: maybe(withDescription('A site, or `none` for the whole trial.', either(id(), oneOf('none')))),
  lacking: maybe(withDescription('Whether only the records that are lacking are listed.', flag())),
})
export const perPageOf = ({ perPage = PLACES_USUALLY }: { perPage?: number }) => perPage

const recordId = () => oneOf(...essentialRecords.map((record) => record.id))
const stage = () => oneOf(...stages)

const Definition = shape('EssentialRecord', {
  record: recordId(),
  title: withDescription('In the language of the caller.', text(1, 300)),
  references: withDescription('Where the guidelines name it.', list(text(1, 100), 20)),
  level: withDescription('Whether the trial has one, or each site.', oneOf('trial', 'site')),
  due: withDescription('The stage in which it must be there.', oneOf('before', 'during', 'after')),
  types: withDescription('Types of files each of which is such a record.', list(oneOf(...fileTypes), 30)),
  words: withDescription('Beginnings of names of such files, and tags.', list(text(1, 100), 100)),
  isConditional: withDescription('It exists only if something happened, such as an amendment.', flag()),
  isIndispensable: withDescription('Nobody can say that it is not applicable.', flag()),
  isPersonal: withDescription('Each person has one: none of them may have expired.', flag()),
  source: withDescription('The part of Trialbox that holds it, too.', orNull(oneOf(...sources))),
})

export const Exemption = shape('RecordExemption', {
  record: recordId(),
  site: withDescription('Null for the trial, or of a record of the sites for all of them.', orNull(id())),
  reason: text(1, 500),
  createdAt: instant(),
  createdBy: id(),
  createdByName: text(0, 1000),
})

const Entry = shape('ChecklistEntry', {
  record: recordId(),
  state: withDescription(
    'missing, expired and notApproved: it is lacking. expiring: within 30 days. none: nothing happened yet that needs one. hidden: it may be kept where you may not read.',
    oneOf(...states),
  ),
  files: withDescription(
    'At most 10 files, the ones that are valid longest first. `expiresAt` is that of the newest approved version.',
    list(
      shape('ChecklistFile', {
        _id: id(),
        name: oneLine(1, 300),
        status: orNull(oneOf(...versionStatuses)),
        expiresAt: orNull(day()),
      }),
      MOST_FILES,
    ),
  ),
  outdated: withDescription(
    'Of a record that each person has: what expires within 30 days or has expired. `file` is null for an entry of a training log.',
    list(shape('OutdatedRecord', { file: orNull(id()), name: oneLine(1, 2000), expiresAt: day() }), 10_000),
  ),
  exemption: orNull(Exemption),
})

export const ChecklistPage = shape('Checklist', {
  stage: withDescription('That of the trial.', stage()),
  today: withDescription('In the zone of the trial.', day()),
  records: list(Definition, 1000),
  places: withDescription(
    'The whole trial first, if you may read its files, then the sites.',
    list(
      shape('ChecklistPlace', {
        site: orNull(id()),
        stage: stage(),
        lacking: withDescription('How many records are lacking.', whole(0)),
        entries: list(Entry, 1000),
      }),
      PLACES,
    ),
  ),
  page: whole(1),
  nextPageAvailable: flag(),
})

export const ExemptionInput = shape('RecordExemptionInput', {
  record: recordId(),
  site: maybe(withDescription('Of a record of the sites, null or nothing means all sites.', orNull(id()))),
  isApplicable: withDescription('False if the trial or the site does not need the record.', flag()),
  reason: maybe(withDescription('Required if it is not applicable.', orNull(text(1, 500)))),
})

export const Applicability = shape('RecordApplicability', {
  exemption: withDescription('Null if the record is applicable.', orNull(Exemption)),
})
