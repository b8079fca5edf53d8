/** What to do about an answer, in Spanish. See `en.ts`. */
import type { InstructionTexts } from './en'

export const es: InstructionTexts = {
  again: 'Responda de nuevo a esta pregunta.',
  required: 'Responda a esta pregunta.',
  rule: 'Compruebe esta respuesta: no cumple una regla del estudio.',
  openStatements: 'Responda también a: {statements}.',
  answeredInFuture: 'Compruebe el reloj de este dispositivo: va adelantado.',
  tooManySteps: 'Escriba un texto más corto.',

  'tooLong.one': 'Escriba como máximo {count} carácter.',
  'tooLong.other': 'Escriba como máximo {count} caracteres.',
  'tooShort.one': 'Escriba al menos {count} carácter.',
  'tooShort.other': 'Escriba al menos {count} caracteres.',
  pattern: 'Escríbalo en la forma que pide esta pregunta.',

  notNumber: 'Escriba un número.',
  between: 'Escriba un número de {min} a {max}.',
  tooSmall: 'Escriba {min} o más.',
  tooLarge: 'Escriba {max} o menos.',
  notWhole: 'Escriba un número entero.',
  'decimals.one': 'Escriba un número con {count} decimal como máximo.',
  'decimals.other': 'Escriba un número con {count} decimales como máximo.',
  step: 'Escriba un número de {step} en {step} a partir de {from}.',

  notDate: 'Escriba la fecha completa, o quite lo que hay.',
  notMoment: 'Escriba la fecha y la hora completas, o quite lo que hay.',
  notTime: 'Escriba la hora completa, o quite lo que hay.',
  dateBetween: 'Escriba una fecha del {min} al {max}.',
  timeBetween: 'Escriba una hora de {min} a {max}.',
  tooEarly: 'Como muy pronto: {min}.',
  tooLate: 'Como muy tarde: {max}.',
  past: 'Escriba una fecha que no esté en el pasado.',
  future: 'Escriba una fecha que no esté en el futuro.',

  noOption: 'Elija una de estas: {options}.',
  noOptionOfMany: 'Elija una de estas: {options}, … ({count} en total).',
  oneOption: 'Elija una sola opción.',
  tooManyOptions: 'Elija {count} como máximo.',
  exclusive: 'Elija «{option}» por separado, o quítela.',
  'tooFewOptions.one': 'Elija al menos {count}.',
  'tooFewOptions.other': 'Elija al menos {count}.',

  cell: 'Entrada {row}, «{column}»: {problem}',
  'tooFewRows.one': 'Añada entradas: hace falta al menos {count}.',
  'tooFewRows.other': 'Añada entradas: hacen falta al menos {count}.',
  'tooManyRows.one': 'Quite entradas: se admite {count} como máximo.',
  'tooManyRows.other': 'Quite entradas: se admiten {count} como máximo.',

  heightMissing: 'Escriba también la estatura.',
  weightMissing: 'Escriba también el peso.',
  heightNotNumber: 'Escriba la estatura con cifras.',
  weightNotNumber: 'Escriba el peso con cifras.',
  heightBetween: 'Escriba una estatura de {min} a {max} cm.',
  weightBetween: 'Escriba un peso de {min} a {max} kg.',

  notFile: 'Elija el archivo de nuevo.',
  otherFile: 'Elija el archivo de nuevo.',
  fileType: 'Elija un archivo de este tipo: {types}.',
  fileSize: 'Elija un archivo de {size} como máximo.',
}
