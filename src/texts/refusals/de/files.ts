import type { files as en } from '#kernel/refusals/files'
import type { TranslationOf } from '../translated'

/** Refusals about files that cannot be read, and storage, in German. See `src/kernel/refusals/files.ts`. */
export const files = {
  fileUnreadable: 'Die Datei „{name}“ kann nicht gelesen werden. {problem}',
  documentTextTooLong: 'Der Text ist länger als {most} Zeichen.',
  damagedOrOther: 'Die Datei ist beschädigt, geschützt oder keine {kind}-Datei.',
  noTextInside: 'Die Datei enthält keinen Text. Gescannte Seiten müssen Sie zuerst durchsuchbar machen.',
  notPlainText: 'Die Datei ist kein Text.',
  tooManyRows: 'Die Datei hat mehr als {most} Zeilen.',
  otherKindOfFile: 'Die Datei ist nicht von dieser Art.',
  tooManyPages: 'Die Datei hat mehr als {most} Seiten.',
  workbookUnreadable:
    'Die Arbeitsmappe ist beschädigt oder mit einem Passwort geschützt und kann nicht gelesen werden.',
  tableNotUtf8:
    'Die Datei ist nicht in UTF-8: Speichern Sie sie als Arbeitsmappe oder als „CSV UTF-8“, und importieren Sie sie noch einmal.',
  fileEmpty: 'Die Datei ist leer.',
  notOdm: 'Das ist keine CDISC-ODM-Datei: Ihr äußerstes Element ist nicht ODM.',
  otherOdmVersion: 'ODM {version} kann nicht gelesen werden: Erwartet wird Version 1.3 oder 2.0.',
  odmWithoutForms: 'Die ODM-Datei beschreibt keine Formulare (sie hat keine MetaDataVersion mit einer FormDef).',
  xlsformNotBase64: 'Der Inhalt eines XLSForm muss in base64 gesendet werden.',
  noteUnusable: 'Die Notiz {note} kann nicht verwendet werden: {field}: {problem}',
  tooManyFields: 'Es sind {held} Felder; {most} sind auf einmal möglich. Senden Sie sie in Teilen.',
  tooManyForms: 'Es sind {held} Formulare; {most} sind auf einmal möglich. Senden Sie sie in Teilen.',
  tooManyPatternSteps:
    'Alle Muster haben zusammen {held} Schritte; {most} sind auf einmal möglich. Senden Sie sie in Teilen.',
  tooManyCharacters:
    'Alle Felder haben zusammen {held} Zeichen; {most} sind auf einmal möglich. Senden Sie sie in Teilen.',
  dictionaryEmpty: 'Die Datei ist leer: Erwartet wird ein Data Dictionary von REDCap.',
  xmlOfRedcap:
    'Das ist XML und kein Data Dictionary von REDCap: Importieren Sie das XML eines REDCap-Projekts mit der Quelle „odm“.',
  dictionaryColumnMissing: 'Das ist kein Data Dictionary von REDCap: In der ersten Zeile fehlt die Spalte {columns}.',
  dictionaryColumnsMissing:
    'Das ist kein Data Dictionary von REDCap: In der ersten Zeile fehlen die Spalten {columns}.',
  dictionaryWithoutFields: 'Das Data Dictionary hat keine Felder.',
  rowTooWide:
    'Die Zeile von „{name}“ hat mehr Zellen als die erste Zeile: Setzen Sie Texte mit Komma, Semikolon oder Tabulator in Anführungszeichen.',
  noInstrument: 'Das Archiv enthält keine instrument.csv: Laden Sie das Instrument noch einmal aus REDCap herunter.',
  bytesInText: 'Die Datei enthält Bytes, die kein Text sind: Ist sie von anderer Art als angegeben?',
  fileTooLarge: 'Die Datei ist größer als {limit} MB.',
  noFormInFile: 'Die Datei enthält kein Formular.',
  groupsTooDeep: 'Gruppen sind mehr als {most}-fach ineinander verschachtelt.',
  surveyEmpty: 'Das Blatt „survey“ hat keine Zeilen mit Fragen.',
  surveyColumnsMissing: 'In der ersten Zeile des Blatts „survey“ fehlt: {columns:and}.',
  workbookProtected:
    'Die Arbeitsmappe ist mit einem Passwort geschützt: Entfernen Sie es, und versuchen Sie es noch einmal.',
  workbookDamaged: 'Die Arbeitsmappe ist beschädigt und kann nicht gelesen werden.',
  notWorkbook: 'Das ist keine Excel-Arbeitsmappe: Ein XLSForm wird als .xlsx (oder .xls) erwartet.',
  notXlsform: 'Diese Arbeitsmappe ist kein XLSForm: Sie hat kein Blatt „survey“, nur {sheets}.',
  formulaWithoutResult:
    'Die Zelle {cell} des Blatts „{sheet}“ hat eine Formel ohne Ergebnis: Öffnen und speichern Sie die Arbeitsmappe in einem Tabellenprogramm, und versuchen Sie es noch einmal.',
  sheetTooLong: 'Das Blatt „{sheet}“ hat mehr als {most} Zeilen.',
  cellUnusable: 'Blatt „{sheet}“, Zeile „{row}“, Spalte „{column}“: {problem}',
  notCsv: 'Die Datei kann nicht als CSV (Werte mit Kommas dazwischen) gelesen werden: {detail}.',
  documentTypeDeclared:
    'Die XML-Datei hat eine Dokumenttyp-Deklaration (DOCTYPE), die nicht gelesen wird: Entfernen Sie sie.',
  xmlTooDeep: 'Die Elemente der XML-Datei sind zu tief verschachtelt.',
  notXml: 'Die Datei ist kein wohlgeformtes XML: {detail}.',
  halfSurrogate: 'Die Datei ist kein gültiges Unicode: Sie enthält ein halbes Surrogatpaar ({place}).',
  referenceToNothing: 'Die Datei ist kein gültiges Unicode: {reference} steht für kein Zeichen ({place}).',
  escapedHalfSurrogate: 'Die Datei ist kein gültiges Unicode: {unit} ist ein halbes Surrogatpaar ({place}).',
  partNotUtf8: 'Die Datei ist kein gültiges Unicode: {part} ist nicht in UTF-8.',
  placeLine: 'Zeile {line}',
  placeLineAfter: 'Zeile {line} nach „{preceding}“',
  placePartLine: '{part}, Zeile {line}',
  placePartLineAfter: '{part}, Zeile {line} nach „{preceding}“',
  placePartAfter: '{part} nach „{preceding}“',
  archiveDamaged:
    'Das Zip-Archiv ist beschädigt: Speichern Sie die Datei noch einmal, oder laden Sie sie noch einmal herunter.',
  archiveTooLargeUnpacked: 'Das Archiv ist ausgepackt zu groß: {limit} MB sind möglich.',
  archiveOtherPacking: 'Das Archiv ist auf eine Weise gepackt, die nicht gelesen werden kann.',
  archiveTooManyFiles: 'Das Archiv enthält {held} Dateien; {most} sind möglich.',
  fileProtected: 'Die Datei ist mit einem Passwort geschützt: Entfernen Sie es, und versuchen Sie es noch einmal.',
  archiveTooLarge: 'Das Archiv ist zu groß: Senden Sie einen Teil davon.',
  tooLargeToRead: 'Die Datei ist größer als {limit} MB.',
  documentNotShown: 'Das Dokument kann nicht angezeigt werden. {problem}',
  notWordDocument: 'Die Datei ist kein Word-Dokument.',
  notImage: 'Die Datei ist kein Bild in PNG, JPEG, GIF oder WebP.',
  notAWorkbook: 'Die Datei ist keine Arbeitsmappe.',
  notContentRange:
    'Content-Range muss die Form bytes 0-499/1234 haben, oder bytes */1234 für die Frage, wie viel angekommen ist.',
  rangeOutsideFile: 'Der Bereich liegt außerhalb der {size} Bytes der Datei.',
  otherFileSize: 'Die Datei muss genau die angegebenen {size} Bytes haben.',
  otherPart: 'Der nächste Teil beginnt mit Byte {received}.',
  partTooLong: 'Dieser Teil hat mehr Bytes, als Content-Range sagt.',
  attachmentNotUploaded: 'Ein Anhang ist nicht fertig hochgeladen oder gehört nicht hierher ({forType}).',
  storageLinkExpired: 'Dieser Link ist abgelaufen. Fordern Sie ihn neu an.',
  storageLinkAltered: 'Dieser Link ist unvollständig oder wurde verändert. Fordern Sie ihn neu an.',
  cutShort: 'Das Hochladen wurde unterbrochen. Senden Sie die Datei noch einmal.',
  otherContentType: 'Content-Type muss der angegebene Typ {type} sein.',
  alreadyUploaded:
    'Diese Datei ist schon hochgeladen. Um eine neue zu senden, fordern Sie einen neuen Link zum Hochladen an.',
} as const satisfies TranslationOf<typeof en>
