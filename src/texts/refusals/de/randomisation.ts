import type { randomisation as en } from '#kernel/refusals/randomisation'
import type { TranslationOf } from '../translated'

/** Refusals about randomisations and allocations, in German. See `src/kernel/refusals/randomisation.ts`. */
export const randomisation = {
  notSeed: 'Muss aus 16 bis 200 ASCII-Zeichen bestehen, ohne Zeilenumbrüche.',

  // Drafts and their states
  tooFewArms: 'Nennen Sie mindestens zwei Arme.',
  armTwice: 'Zwei Arme heißen „{name}“.',
  groupOfTwoArms: 'Zwei Arme haben dieselbe Gruppe.',
  noBlockSize: 'Geben Sie mindestens eine Größe an.',
  notMultipleOfRatios: '{size} ist kein Vielfaches von {total}, der Summe der Verhältniszahlen.',
  methodWithoutBlocks: 'Die Methode {method} hat keine Blöcke.',
  factorsMissing: 'Die Methode {method} braucht mindestens einen Faktor.',
  methodWithoutFactors: 'Die Methode {method} hat keine Faktoren: Verwenden Sie stratified.',
  factorNameTaken: '„{name}“ ist der Name einer anderen Spalte: Geben Sie jedem Faktor einen eigenen Namen.',
  weightOfOtherMethod: 'Nur Faktoren einer Minimierung haben ein Gewicht.',
  listOfOtherMethod: 'Die Methode {method} erstellt ihre Liste selbst.',
  seedOfList: 'Eine hochgeladene Liste hat keinen Startwert.',
  armPackTypeElsewhere: 'Die Packungsart des Arms „{arm}“ gehört nicht zu dieser Studie.',
  armPackTypeShown:
    'Die Packungsart des Arms „{arm}“ gehört zu einer verblindeten und zu einer offenen Randomisierung, die sie zeigen würde. Verwenden Sie eine andere Art.',
  armGroupElsewhere: 'Die Gruppe des Arms „{arm}“ gehört nicht zu dieser Studie.',
  armGroupUsed: 'Die Gruppe des Arms „{arm}“ ist ein Arm einer anderen Randomisierung.',
  armGroupShown:
    'Die Gruppe des Arms „{arm}“ kann nicht verborgen werden, denn {uses}. Verwenden Sie eine neue Gruppe.',
  groupHasMembers: 'sie hat Mitglieder',
  groupLimitsStages: 'Formulare sind auf sie beschränkt',
  groupHasPeople: 'Personen haben Berechtigungen für sie',
  groupHasRoles: 'Rollen haben Berechtigungen für sie',
  groupInSettings: 'die Einstellungen der Studie nennen sie',
  groupIsFactor: 'eine Randomisierung ist nach ihr stratifiziert',
  groupLimitsPacks: 'Packungen sind auf sie beschränkt',
  'recipientsWithoutAccess.one': '{count} Person, die benachrichtigt werden soll, hat keinen Zugang zu dieser Studie.',
  'recipientsWithoutAccess.other':
    '{count} Personen, die benachrichtigt werden sollen, haben keinen Zugang zu dieser Studie.',
  factorStageElsewhere: 'Dieses Formular gibt es in der Studie nicht.',
  factorOnPoll: '„{stage}“ ist eine Umfrage. Ihre Antworten gehören zu keiner Person.',
  factorOnAdHoc: '„{stage}“ kann jederzeit ausgefüllt werden (ad hoc): Keine der Antworten darauf ist die maßgebliche.',
  factorFieldElsewhere: 'Das Formular hat kein Feld mit diesem Datentyp.',
  cutPointsMissing: 'Eine Zahl braucht `cutPoints`.',
  cutPointsOrder: 'Die Trennwerte müssen aufsteigend geordnet sein.',
  notFactorFormat: 'Verwenden Sie eine Auswahl mit einer einzigen Option oder eine Zahl.',
  cutPointsOfChoice: 'Nur eine Zahl hat Trennwerte.',
  notOfFactorType: 'Ein Faktor des Typs {type} hat kein `{field}`.',
  tooFewGroups: 'Nennen Sie mindestens zwei Gruppen.',
  notFactorGroups: 'Das sind keine Gruppen der Studie, oder es sind Arme: {groups}.',
  planTypeTwice: 'Der Arm „{arm}“ nennt eine Packungsart zweimal: Fassen Sie die Packungen in einer Zeile zusammen.',
  planLevelsMixed: 'Beim Arm „{arm}“ haben nur manche Zeilen eine Dosisstufe: Geben Sie jeder Zeile eine, oder keiner.',
  planTypesDiffer:
    'Geben Sie jedem Arm eine Packungsart, oder keinem: Sonst verrät es den Arm, wenn jemand keine Packung bekommt.',
  plansDiffer:
    'Geben Sie jedem Arm dieselben Dosisstufen in derselben Reihenfolge, mit gleich vielen Packungen auf jeder Stufe: Sonst verrät die Ausgabe den Arm.',
  sealedFields: '„{name}“ ist versiegelt. Das kann nicht mehr geändert werden: {fields}.',
  sealedNotDeleted:
    '„{name}“ ist versiegelt, gehört damit zur Dokumentation der Studie und kann nicht gelöscht werden.',
  randomisationIsDraft: '„{name}“ ist ein Entwurf: Löschen Sie ihn, oder versiegeln Sie ihn zuerst.',
  randomisationClosedAlready: '„{name}“ ist schon geschlossen.',
  tooManyAllocations:
    'Die Listen hätten {count} Zuteilungen; höchstens {most} sind möglich. Verwenden Sie weniger Faktoren oder eine kleinere listLength.',
  randomisationSealedAlready: '„{name}“ ist schon versiegelt.',
  listMissing: 'Laden Sie die Liste hoch, bevor Sie die Randomisierung versiegeln.',
  listNotSealed: '„{name}“ ist nicht versiegelt: Es gibt noch keine Liste.',
  randomisationUnblinded: '„{name}“ ist schon entblindet.',
  randomisationOpen:
    'Schließen Sie zuerst „{name}“: Solange die Randomisierung offen ist, würde die Liste die nächsten Arme verraten.',
  listEmpty: 'Die Liste ist leer.',
  listWithoutAllocation: 'Die Liste enthält keine Zuteilung.',
  listColumnMissing: 'Zeile {line}: Die Spalte „{column}“ fehlt.',
  listColumnUnknown: 'Zeile {line}: Keine Spalte heißt „{column}“. Verwenden Sie: {columns}.',
  listColumnTwice: 'Zeile {line}: Die Spalte „{column}“ kommt zweimal vor.',
  'listCells.one': 'Zeile {line}: Hier gibt es {count} Zelle, in der ersten Zeile aber {columns}.',
  'listCells.other': 'Zeile {line}: Hier gibt es {count} Zellen, in der ersten Zeile aber {columns}.',
  listArm: 'Zeile {line}: Kein Arm heißt „{arm}“.',
  listLevel: 'Zeile {line}: „{level}“ ist keine Stufe von „{factor}“.',
  listLevels:
    'Zeile {line}: „{level}“ passt zu {levels} Stufen von „{factor}“: Schreiben Sie die _id der gemeinten Stufe.',

  // Allocations and dispensations
  randomisationNotSealed: '„{name}“ ist noch nicht versiegelt.',
  randomisationClosed: '„{name}“ ist geschlossen: Es können keine Teilnehmenden mehr zugeteilt werden.',
  cannotAllocateWithdrawn: '„{participant}“ hat die Teilnahme beendet.',
  cannotAllocateArchived: '„{participant}“ ist archiviert.',
  allocatedAlready: '„{participant}“ wurde schon zugeteilt, am {at} als Nummer {number}.',
  participantNotAtSite: 'Diese Person gehört nicht zu diesem Studienzentrum.',
  siteOfPacksOpen: 'Diese Person gehört zu mehreren Studienzentren: Geben Sie an, aus welchem die Packungen kommen.',
  noListOfStratum: 'Die Liste von „{name}“ hat keinen Teil für dieses Stratum.',
  listUsedUp: 'Die Liste dieses Stratums ist aufgebraucht: Alle Plätze ({places}) sind vergeben.',
  noPackOfTypes:
    'Es ist keine Packung mehr übrig: Das Studienzentrum dieser Person hat nicht von jeder Art dieser Randomisierung eine verfügbare Packung.',
  eligibilityNotSubmitted: '„{stage}“ von „{participant}“ ist nicht abgesendet: Davon hängt ab, wer geeignet ist.',
  notEligible: '„{participant}“ ist nach den Antworten in „{stage}“ nicht geeignet.',
  factorSiteOpen: '„{factor}“ fehlt, weil diese Person zu mehreren Studienzentren gehört: Geben Sie an, welches zählt.',
  factorWithoutSite: '„{factor}“ fehlt, weil diese Person zu keinem Studienzentrum gehört.',
  factorWithoutGroup: '„{factor}“ fehlt: Diese Person muss in einer der Gruppen dafür sein und ist in keiner.',
  factorSeveralGroups: '„{factor}“ fehlt: Diese Person muss in genau einer der Gruppen dafür sein und ist in {groups}.',
  factorWithoutAnswer: '„{factor}“ fehlt: „{stage}“ von „{participant}“ hat keine Antwort dafür.',
  randomisationNotBlinded: '„{name}“ ist nicht verblindet: Der Arm ist kein Geheimnis.',
  otherParticipant: 'Das ist nicht die Teilnehmer-ID dieser Zuteilung. Nichts wurde entblindet.',
  notAllocated: '„{participant}“ wurde nicht durch „{name}“ zugeteilt.',
  replacementQuantity: 'Ein Ersatz ist genau eine Packung.',
  replacementLevel: 'Ein Ersatz hat die Dosisstufe der ersetzten Packung.',
  packGivenElsewhere: '„{name}“ hat diese Packung nicht an „{participant}“ ausgegeben.',
  packInUse:
    'Der Stand der Packung „{pack}“ ist: {state}. Erfassen Sie sie als verloren, beschädigt oder zurückgegeben, bevor sie ersetzt wird.',
  packReplaced: 'Die Packung „{pack}“ wurde schon ersetzt, durch die Ausgabe {number}.',
  levelOfOtherArm: 'Der Arm dieser Person hat diese Stufe nicht.',
  noDoseLevel: 'Diese Dosisstufe gibt es nicht.',
  givesNoPacks: '„{name}“ gibt keine Packungen aus.',
  armGivesNoPacks: 'Der Arm dieser Person gibt keine Packungen aus.',
  tooManyPacks: 'Das sind {count} Packungen; {most} können auf einmal ausgegeben werden.',
  tooFewPacks:
    'Es sind zu wenige Packungen übrig: Das Studienzentrum dieser Person hat nicht von jeder Art dieser Randomisierung genug verfügbare Packungen.',
  tooFewPacksYet:
    'Es sind zu wenige Packungen übrig: Das Studienzentrum dieser Person hat nicht von jeder Art dieser Randomisierung genug verfügbare Packungen. Verlangen Sie die Menge 1, bis dort Packungen eintreffen.',
} as const satisfies TranslationOf<typeof en>
