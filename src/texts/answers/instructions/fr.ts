/** What to do about an answer, in French. See `en.ts`. */
import type { InstructionTexts } from './en'

export const fr: InstructionTexts = {
  again: 'Répondez de nouveau à cette question.',
  required: 'Répondez à cette question.',
  rule: 'Vérifiez cette réponse : elle ne respecte pas une règle de l’étude.',
  openStatements: 'Répondez aussi à ceci : {statements}.',
  answeredInFuture: 'Vérifiez l’horloge de cet appareil : elle avance.',
  tooManySteps: 'Saisissez un texte plus court.',

  'tooLong.one': 'Saisissez au plus {count} caractère.',
  'tooLong.other': 'Saisissez au plus {count} caractères.',
  'tooShort.one': 'Saisissez au moins {count} caractère.',
  'tooShort.other': 'Saisissez au moins {count} caractères.',
  pattern: 'Saisissez la réponse sous la forme que cette question demande.',

  notNumber: 'Saisissez un nombre.',
  between: 'Saisissez un nombre de {min} à {max}.',
  tooSmall: 'Saisissez {min} ou plus.',
  tooLarge: 'Saisissez {max} ou moins.',
  notWhole: 'Saisissez un nombre entier.',
  'decimals.one': 'Saisissez un nombre avec au plus {count} décimale.',
  'decimals.other': 'Saisissez un nombre avec au plus {count} décimales.',
  step: 'Saisissez un nombre par pas de {step} à partir de {from}.',

  notDate: 'Saisissez toute la date, ou enlevez ce qui s’y trouve.',
  notMoment: 'Saisissez toute la date et l’heure, ou enlevez ce qui s’y trouve.',
  notTime: 'Saisissez toute l’heure, ou enlevez ce qui s’y trouve.',
  dateBetween: 'Saisissez une date du {min} au {max}.',
  timeBetween: 'Saisissez une heure de {min} à {max}.',
  tooEarly: 'Au plus tôt : {min}.',
  tooLate: 'Au plus tard : {max}.',
  past: 'Saisissez une date qui n’est pas dans le passé.',
  future: 'Saisissez une date qui n’est pas dans le futur.',

  noOption: 'Choisissez l’une de ces options : {options}.',
  noOptionOfMany: 'Choisissez l’une de ces options : {options}, … ({count} en tout).',
  oneOption: 'Choisissez une seule option.',
  tooManyOptions: 'Choisissez-en au plus {count}.',
  exclusive: 'Choisissez « {option} » seul, ou enlevez-le.',
  'tooFewOptions.one': 'Choisissez-en au moins {count}.',
  'tooFewOptions.other': 'Choisissez-en au moins {count}.',

  cell: 'Entrée {row}, « {column} » : {problem}',
  'tooFewRows.one': 'Ajoutez des entrées : il en faut au moins {count}.',
  'tooFewRows.other': 'Ajoutez des entrées : il en faut au moins {count}.',
  'tooManyRows.one': 'Enlevez des entrées : {count} au maximum.',
  'tooManyRows.other': 'Enlevez des entrées : {count} au maximum.',

  heightMissing: 'Saisissez aussi la taille.',
  weightMissing: 'Saisissez aussi le poids.',
  heightNotNumber: 'Saisissez la taille en chiffres.',
  weightNotNumber: 'Saisissez le poids en chiffres.',
  heightBetween: 'Saisissez une taille de {min} à {max} cm.',
  weightBetween: 'Saisissez un poids de {min} à {max} kg.',

  notFile: 'Choisissez de nouveau le fichier.',
  otherFile: 'Choisissez de nouveau le fichier.',
  fileType: 'Choisissez un fichier de ce type : {types}.',
  fileSize: 'Choisissez un fichier d’au plus {size}.',
}
