/** What to do about an answer, in German. See `en.ts`. */
import type { InstructionTexts } from './en'

export const de: InstructionTexts = {
  again: 'Bitte beantworten Sie diese Frage noch einmal.',
  required: 'Bitte beantworten Sie diese Frage.',
  rule: 'Bitte prüfen Sie diese Antwort: Sie passt nicht zu einer Regel der Studie.',
  openStatements: 'Bitte beantworten Sie auch: {statements}.',
  answeredInFuture: 'Bitte prüfen Sie die Uhr dieses Geräts: Sie geht vor.',
  tooManySteps: 'Bitte geben Sie einen kürzeren Text ein.',

  'tooLong.one': 'Bitte geben Sie höchstens {count} Zeichen ein.',
  'tooLong.other': 'Bitte geben Sie höchstens {count} Zeichen ein.',
  'tooShort.one': 'Bitte geben Sie mindestens {count} Zeichen ein.',
  'tooShort.other': 'Bitte geben Sie mindestens {count} Zeichen ein.',
  pattern: 'Bitte geben Sie die Antwort in der Form ein, die diese Frage verlangt.',

  notNumber: 'Bitte geben Sie eine Zahl ein.',
  between: 'Bitte geben Sie eine Zahl von {min} bis {max} ein.',
  tooSmall: 'Bitte geben Sie {min} oder mehr ein.',
  tooLarge: 'Bitte geben Sie {max} oder weniger ein.',
  notWhole: 'Bitte geben Sie eine ganze Zahl ein.',
  'decimals.one': 'Bitte geben Sie eine Zahl mit höchstens {count} Nachkommastelle ein.',
  'decimals.other': 'Bitte geben Sie eine Zahl mit höchstens {count} Nachkommastellen ein.',
  step: 'Bitte geben Sie eine Zahl in Schritten von {step} ab {from} ein.',

  notDate: 'Bitte geben Sie das ganze Datum ein, oder entfernen Sie, was da steht.',
  notMoment: 'Bitte geben Sie Datum und Uhrzeit ganz ein, oder entfernen Sie, was da steht.',
  notTime: 'Bitte geben Sie die ganze Uhrzeit ein, oder entfernen Sie, was da steht.',
  dateBetween: 'Bitte geben Sie ein Datum von {min} bis {max} ein.',
  timeBetween: 'Bitte geben Sie eine Uhrzeit von {min} bis {max} ein.',
  tooEarly: 'Frühestens möglich: {min}.',
  tooLate: 'Spätestens möglich: {max}.',
  past: 'Bitte geben Sie ein Datum ein, das nicht in der Vergangenheit liegt.',
  future: 'Bitte geben Sie ein Datum ein, das nicht in der Zukunft liegt.',

  noOption: 'Bitte wählen Sie eines davon: {options}.',
  noOptionOfMany: 'Bitte wählen Sie eines davon: {options}, … (insgesamt {count}).',
  oneOption: 'Bitte wählen Sie nur eine Option.',
  tooManyOptions: 'Bitte wählen Sie höchstens {count}.',
  exclusive: 'Bitte wählen Sie „{option}“ allein, oder nehmen Sie diese Auswahl zurück.',
  'tooFewOptions.one': 'Bitte wählen Sie mindestens {count}.',
  'tooFewOptions.other': 'Bitte wählen Sie mindestens {count}.',

  cell: 'Eintrag {row}, „{column}“: {problem}',
  'tooFewRows.one': 'Bitte fügen Sie Einträge hinzu: Mindestens {count} wird gebraucht.',
  'tooFewRows.other': 'Bitte fügen Sie Einträge hinzu: Mindestens {count} werden gebraucht.',
  'tooManyRows.one': 'Bitte entfernen Sie Einträge: Höchstens {count} ist möglich.',
  'tooManyRows.other': 'Bitte entfernen Sie Einträge: Höchstens {count} sind möglich.',

  heightMissing: 'Bitte geben Sie auch die Größe ein.',
  weightMissing: 'Bitte geben Sie auch das Gewicht ein.',
  heightNotNumber: 'Bitte geben Sie die Größe als Zahl ein.',
  weightNotNumber: 'Bitte geben Sie das Gewicht als Zahl ein.',
  heightBetween: 'Bitte geben Sie eine Größe von {min} bis {max} cm ein.',
  weightBetween: 'Bitte geben Sie ein Gewicht von {min} bis {max} kg ein.',

  notFile: 'Bitte wählen Sie die Datei noch einmal aus.',
  otherFile: 'Bitte wählen Sie die Datei noch einmal aus.',
  fileType: 'Bitte wählen Sie eine Datei dieser Art: {types}.',
  fileSize: 'Bitte wählen Sie eine Datei mit höchstens {size}.',
}
