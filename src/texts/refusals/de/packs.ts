import type { packs as en } from '#kernel/refusals/packs'
import type { TranslationOf } from '../translated'

/** Refusals about packs, and about rows of a csv, in German. See `src/kernel/refusals/packs.ts`. */
export const packs = {
  notFieldKey:
    'Muss mit einem Buchstaben beginnen; danach sind Buchstaben, Ziffern und _ möglich, höchstens 64 Zeichen.',
  notFields: 'Muss ein Objekt sein, mit einem Wert für jedes Feld der Packungsart.',

  // Packs
  recipientWithdrawn: 'Teilnehmer/in „{participant}“ hat die Teilnahme beendet.',
  recipientArchived: 'Teilnehmer/in „{participant}“ ist archiviert.',
  packAssignedToThem: 'Die Packung „{pack}“ ist dieser Person schon zugeordnet.',
  packAssignedToOther: 'Die Packung „{pack}“ ist schon einer anderen Person zugeordnet.',
  packExpired: 'Die Packung „{pack}“ ist am {expiryDate} abgelaufen.',
  packAtOtherSite: 'Die Packung „{pack}“ ist in einem Studienzentrum, zu dem diese Person nicht gehört.',
  packForOtherGroups: 'Die Packung „{pack}“ ist nicht für eine Gruppe dieser Person bestimmt.',
  packRandomised:
    'Packungen dieser Art vergibt eine versiegelte Randomisierung: Niemand wählt, wer welche bekommt. Geben Sie die Packung über die Randomisierung aus.',
  packGivenBlinded:
    'Eine verblindete Randomisierung hat diese Packung vergeben: Wer sie als Nächstes bekäme, hätte erkennbar denselben Arm. Erfassen Sie die Packung stattdessen als zurückgegeben, verloren oder beschädigt.',
  packNotTheirs: 'Die Packung ist dieser Person nicht zugeordnet.',
  noPackAtTrial: 'Auf der Ebene der Studie ist keine Packung für diese Person mehr übrig.',
  noPackAtSite: 'Im Studienzentrum „{site}“ ist keine Packung für diese Person mehr übrig.',
  noUsablePackAtTrial: 'Auf der Ebene der Studie ist keine Packung für diese Person mehr übrig: {reasons}.',
  noUsablePackAtSite: 'Im Studienzentrum „{site}“ ist keine Packung für diese Person mehr übrig: {reasons}.',
  'packsExpired.one': '{count} abgelaufen',
  'packsExpired.other': '{count} abgelaufen',
  'packsInQuarantine.one': '{count} in Quarantäne',
  'packsInQuarantine.other': '{count} in Quarantäne',
  'packsForOthers.one': '{count} für andere Gruppen',
  'packsForOthers.other': '{count} für andere Gruppen',
  packTypeFixed:
    'Die Art einer Packung kann nicht geändert werden. Löschen Sie die Packung, und legen Sie eine der anderen Art an.',
  eventInFuture: 'Ein Ereignis kann nicht in der Zukunft liegen.',
  eventBefore: 'Das vorherige Ereignis, „{event}“, war erst später ({at}): Geben Sie eine spätere Zeit an.',
  impossibleEvent: 'Der Stand der Packung „{pack}“ ist: {state}. Deshalb kann sie nicht {event} werden.',
  stateInStock: 'vorrätig',
  stateQuarantined: 'in Quarantäne',
  stateDispensed: 'ausgegeben',
  stateReturned: 'zurückgegeben',
  stateLost: 'verloren',
  stateDamaged: 'beschädigt',
  stateDestroyed: 'vernichtet',
  eventReceived: 'als eingegangen erfasst',
  eventMoved: 'verlegt',
  eventTemperatureExcursion: 'nach einer Temperaturabweichung in Quarantäne genommen',
  eventQuarantined: 'in Quarantäne genommen',
  eventReleased: 'freigegeben',
  eventLost: 'als verloren erfasst',
  eventFound: 'als gefunden erfasst',
  eventDamaged: 'als beschädigt erfasst',
  eventDispensed: 'ausgegeben',
  eventUnassigned: 'aus ihrer Zuordnung gelöst',
  eventReturned: 'zurückgegeben',
  eventDestroyed: 'vernichtet',
  otherEventType: 'Ist nur beim Typ {type} möglich.',
  eventReasonMissing: 'Ein Ereignis des Typs {type} braucht einen Grund.',
  packNotMoved: 'Eine Packung kann nicht dorthin verlegt werden, wo sie schon ist.',
  packTypeElsewhere: 'Die Packungsart gehört nicht zu dieser Studie.',
  otherPackField: 'Die Packungsart hat dieses Feld nicht.',
  noExtendedField: 'Die Packungsart hat kein solches Zusatzfeld.',
  packHasHistory:
    'Die Packung „{pack}“ hat einen Verlauf („{event}“) und kann deshalb nicht gelöscht werden. Erfassen Sie sie stattdessen als verloren, beschädigt oder vernichtet.',
  severalTrials:
    'Diese Packungen gehören zu mehreren Studien. Nennen Sie nur Packungen einer einzigen Studie auf einmal.',
  packFieldTwice: 'Zwei Felder haben den Schlüssel „{key}“.',
  'packFieldInUse.one':
    '„{field}“ kann nicht entfernt werden und keinen anderen Typ bekommen: {count} Packung hat einen Wert dafür.',
  'packFieldInUse.other':
    '„{field}“ kann nicht entfernt werden und keinen anderen Typ bekommen: {count} Packungen haben einen Wert dafür.',
  tooManyPackTypes: 'Eine Studie hat höchstens {most} Packungsarten.',
  'packTypeInUse.one': 'Von „{name}“ gibt es {count} Packung. Deshalb kann die Art nicht gelöscht werden.',
  'packTypeInUse.other': 'Von „{name}“ gibt es {count} Packungen. Deshalb kann die Art nicht gelöscht werden.',
  packTypeChanged:
    'Die Packungsart „{type}“ wurde während des Imports geändert. Nichts wurde importiert: Senden Sie die Datei noch einmal.',
  packImportTooLong: 'Der Import hat zu lange gedauert. Nichts wurde importiert: Senden Sie die Datei noch einmal.',
  packImportRunning:
    'Derselbe Import lief schon, deshalb wurde dieser nicht ausgeführt. Sehen Sie in der Liste der Packungen nach, wie er ausging.',
  accountTooLong:
    'Diese Liste hat mehr als {most} Packungen. Wählen Sie ein Studienzentrum oder eine Packungsart, oder nehmen Sie die csv-Datei.',

  // Rows of a csv
  inCell: 'Zeile {line}, {column}: {problem}',
  noSiteCalled: 'Es gibt kein Studienzentrum „{site}“. Geben Sie die Kennung des Studienzentrums an.',
  noGroupCalled: 'Es gibt keine Gruppe „{group}“.',
  noPackTypeCalled: 'Es gibt keine Packungsart „{type}“, oder mehrere heißen so.',
  fieldOfOtherType: '„{type}“ hat dieses Feld nicht.',
  packTypeNotNamed: 'Geben Sie die Art an, oder geben Sie der csv-Datei eine Spalte „packType“.',
  noColumnCalled: 'Es gibt keine Spalte „{column}“.',
  columnTwice: 'Die Spalte „{column}“ kommt zweimal vor.',
  noHeaders: 'Die Überschriften fehlen.',
  noRows: 'Außer den Überschriften gibt es keine Zeile.',
  'tooManyCells.one': 'Die Anzahl der Zellen ist {cells}, es gibt aber nur {count} Spalte.',
  'tooManyCells.other': 'Die Anzahl der Zellen ist {cells}, es gibt aber nur {count} Spalten.',
} as const satisfies TranslationOf<typeof en>
