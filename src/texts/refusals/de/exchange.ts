import type { exchange as en } from '#kernel/refusals/exchange'
import type { TranslationOf } from '../translated'

/** Refusals about imports, exports and everything in bulk, in German. See `src/kernel/refusals/exchange.ts`. */
export const exchange = {
  textTooLongForAi: 'Der Text ist zu lang: An den KI-Dienst können höchstens {most} Zeichen gesendet werden.',
  aiPlanUnusable:
    'Die Antwort des KI-Dienstes konnte nicht verwendet werden, auch nicht nach einer Korrektur: {problems}',
  textsTooLong: 'Die Texte haben zusammen mehr als {most} Zeichen.',
  nothingUnderstood: 'Im Text wurde kein Formular, keine Visite und keine Frage erkannt.',
  nothingUnderstoodWithNote: 'Im Text wurde kein Formular, keine Visite und keine Frage erkannt. {note}',
  noStagesToExport: 'Die Studie hat noch keine Formulare, die exportiert werden können.',
  onlyOfCells: 'Nur csv und excel haben {field}: Geben Sie auch type an.',
  onlyForExports: 'Gilt nur für einen Export: Geben Sie auch type=csv an.',
  subjectTooLong:
    'Die Kennung {subject} hat mehr als {most} Bytes und passt nicht in USUBJID. Kürzen Sie den Code der Studie oder die Teilnehmer-ID.',
  savedExportUnfit:
    'Der gespeicherte Export passt nicht mehr zur Studie: {field}: {problem} Ändern Sie den gespeicherten Export.',
  datasetWithout: 'Dieser Datensatz wird als {type} exportiert, ohne {field}: Geben Sie auch type an.',
  shapeOfTables: 'Nur Exporte als Tabellen haben shape: Geben Sie auch type an.',
  datasetIsTable: 'Dieser Datensatz wird als Tabelle exportiert, etwa als csv: Geben Sie auch type an.',
  onlyCsvEscaped: 'Gilt nur für csv: Geben Sie auch type an.',
  historyOfOtherType:
    'Das haben nur Prüfbögen und ODM: Geben Sie type=pdf oder odm an. Für Tabellen gibt es den Datensatz history.',
  onlyForOdm: 'Gilt nur mit type=odm.',
  datasetWithoutShape: 'Nur die Antworten und ihr Codebuch haben shape.',
  onlyForTables: 'Gilt nur mit dataset=table.',
  csvOfOneTable: 'Eine csv-Datei enthält die Zeilen einer einzigen Tabelle: Geben Sie deren Datentyp an.',
  noStageWithId: 'Es gibt kein Formular {id}.',
  noSiteWithId: 'Es gibt kein Studienzentrum {id}.',
  noGroupWithId: 'Es gibt keine Gruppe {id}.',
  noTableWithId: 'Es gibt keine Tabelle {id}.',
  tableNotInExport: 'Kein Formular des Exports hat diese Tabelle.',
  tooManyWideColumns:
    'Mit einer Zeile je teilnehmender Person hätte der Export mehr als {most} Spalten. Exportieren Sie weniger Formulare, oder nehmen Sie shape=long.',
  textTooLongForCell: 'Ein Text ist zu lang für eine Zelle einer Arbeitsmappe: Nehmen Sie die csv-Datei.',
  trialDeleted: 'Die Studie wurde gelöscht.',
  participantToo: 'Geben Sie auch participant an: Gesucht wird in den Änderungen einer einzigen Person.',
  participantGone: 'Die teilnehmende Person wurde gelöscht.',
  erasedBeforeReport:
    'Die personenbezogenen Angaben wurden gelöscht, bevor der Bericht fertig war. Fordern Sie einen neuen an.',
  teamFull: 'Das Team darf keine weiteren Teilnehmenden haben.',
  itsParticipantDeleted: 'Die teilnehmende Person dazu wurde gelöscht. Stellen Sie zuerst die Person wieder her.',
  placeTaken: 'An dieser Stelle steht eine andere Antwort. Löschen Sie zuerst diese.',
  itsStageDeleted: 'Das Formular dazu wurde inzwischen gelöscht.',
  itsSiteDeleted: 'Das Studienzentrum dazu wurde inzwischen gelöscht. Stellen Sie es zuerst wieder her.',
  purgeConfirmed: 'Dieses endgültige Löschen wurde schon bestätigt.',
  purgeRequested:
    'Dieses endgültige Löschen wurde schon beantragt und wartet auf die Bestätigung einer anderen Person.',
  purgeNotRequested:
    'In den letzten 7 Tagen hat niemand dieses endgültige Löschen beantragt. Beantragen Sie es zuerst.',
  placeForm: 'Formular',
  placeQuestion: 'Frage {number} („{title}“)',
  placeHeading: 'Überschrift „{title}“',
  placeTrialName: 'Name der Studie',
  placeProtocol: 'Nummer des Prüfplans',
  placeFormName: 'Name des Formulars',
  placeFormDescription: 'Beschreibung des Formulars',
  unprintable:
    'Das PDF kann „{character}“ ({unicode}) nicht drucken, weil seine Schriften dieses Zeichen nicht haben. Betroffen: {place}. Nehmen Sie die Word-Fassung (format=docx), oder ändern Sie den Text.',
  formTooLong:
    'Die Texte dieses Formulars haben zusammen {length} Zeichen; {most} können gedruckt werden. Drucken Sie es in Teilen: Kopieren Sie das Formular, und lassen Sie einige Bestandteile weg.',
  readsNotShown: 'Diese Studie zeigt nicht, wer etwas über ihre Teilnehmenden gelesen hat.',
  unlockedBeforeRecord:
    'Die Datenbank wurde entsperrt, bevor die Aufzeichnung der Studie fertig war. Sperren Sie die Datenbank noch einmal, um eine zu bekommen.',
  tooManySavedExports: 'Eine Studie hat höchstens {most} gespeicherte Exporte.',
  besideSavedExport:
    'Zu einem gespeicherten Export darf nur type angegeben werden: Ändern Sie den gespeicherten Export.',
  savedExportUnknown: 'Die Studie hat diesen gespeicherten Export nicht.',
  datasetOfCsv: 'Gilt nur mit type=csv: {type} enthält alle Datensätze.',
  noConsentFormWithId: 'Es gibt kein Einwilligungsformular {id}.',
  partTooLargeForZip: '„{name}“ ist größer als 4 GB: Exportieren Sie weniger Formulare auf einmal oder als csv.',
  noVariables: '„{name}“ hat keine Variablen, die exportiert werden können.',
  tooManyForStata: '„{name}“ hat {held} Variablen; Stata fasst {most}. Exportieren Sie die Daten als csv.',
  tooManyRowsForR: '„{name}“ hat mehr als {most} Zeilen. Exportieren Sie die Daten als csv.',
  tooManyRowsForSpss: '„{name}“ hat mehr als {most} Zeilen.',
  tooManyForSas: '„{name}“ hat {held} Variablen; eine SAS-Datei fasst {most}. Exportieren Sie die Daten als csv.',
  tooLargeForSas:
    '„{name}“ hätte {size} GB, weil in einer SAS-Datei jede Zeile so lang ist wie die längsten Texte. Exportieren Sie die Daten als csv oder parquet.',
  nothingToExport: 'Es gibt nichts zu exportieren: Eine Arbeitsmappe hat mindestens ein Blatt.',
  tooManyForSheet:
    '„{name}“ hat {held} Spalten; ein Blatt einer Arbeitsmappe fasst {most}. Exportieren Sie die Daten als csv.',
  neededWasDeleted: 'Etwas, das dafür nötig ist, wurde inzwischen gelöscht. Stellen Sie es zuerst wieder her.',
} as const satisfies TranslationOf<typeof en>
