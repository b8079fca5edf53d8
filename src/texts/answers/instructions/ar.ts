/** What to do about an answer, in Arabic. No translator has reviewed it. See `en.ts`. */
import type { InstructionTexts } from './en'

export const ar: InstructionTexts = {
  again: 'يرجى الإجابة عن هذا السؤال مرة أخرى.',
  required: 'يرجى الإجابة عن هذا السؤال.',
  rule: 'يرجى مراجعة هذه الإجابة: فهي لا توافق إحدى قواعد الدراسة.',
  openStatements: 'يرجى الإجابة أيضا عن: {statements}.',
  answeredInFuture: 'يرجى التحقق من ساعة هذا الجهاز: إنها متقدمة.',
  tooManySteps: 'يرجى إدخال نص أقصر.',

  'tooLong.one': 'يرجى ألا يزيد عدد الحروف على {count}.',
  'tooLong.other': 'يرجى ألا يزيد عدد الحروف على {count}.',
  'tooShort.one': 'يرجى ألا يقل عدد الحروف عن {count}.',
  'tooShort.other': 'يرجى ألا يقل عدد الحروف عن {count}.',
  pattern: 'يرجى الإدخال بالصيغة التي يطلبها هذا السؤال.',

  notNumber: 'يرجى إدخال رقم.',
  between: 'يرجى إدخال رقم من {min} إلى {max}.',
  tooSmall: 'يرجى إدخال {min} أو أكثر.',
  tooLarge: 'يرجى إدخال {max} أو أقل.',
  notWhole: 'يرجى إدخال عدد صحيح.',
  'decimals.one': 'يرجى ألا يزيد عدد الأرقام بعد الفاصلة على {count}.',
  'decimals.other': 'يرجى ألا يزيد عدد الأرقام بعد الفاصلة على {count}.',
  step: 'يرجى إدخال رقم بخطوات من {step} ابتداء من {from}.',

  notDate: 'يرجى إدخال التاريخ كاملا، أو إزالة ما هو موجود.',
  notMoment: 'يرجى إدخال التاريخ والوقت كاملين، أو إزالة ما هو موجود.',
  notTime: 'يرجى إدخال الوقت كاملا، أو إزالة ما هو موجود.',
  dateBetween: 'يرجى إدخال تاريخ من {min} إلى {max}.',
  timeBetween: 'يرجى إدخال وقت من {min} إلى {max}.',
  tooEarly: 'يرجى إدخال {min} أو ما بعده.',
  tooLate: 'يرجى إدخال {max} أو ما قبله.',
  past: 'يرجى إدخال تاريخ ليس في الماضي.',
  future: 'يرجى إدخال تاريخ ليس في المستقبل.',

  noOption: 'يرجى اختيار واحد من: {options}.',
  noOptionOfMany: 'يرجى اختيار واحد من: {options}، … (المجموع {count}).',
  oneOption: 'يرجى اختيار خيار واحد فقط.',
  tooManyOptions: 'أكبر عدد يمكن اختياره هو {count}.',
  exclusive: 'يرجى اختيار «{option}» وحده، أو إزالته.',
  'tooFewOptions.one': 'أقل عدد يجب اختياره هو {count}.',
  'tooFewOptions.other': 'أقل عدد يجب اختياره هو {count}.',

  cell: 'الإدخال {row}، «{column}»: {problem}',
  'tooFewRows.one': 'يرجى إضافة إدخالات: أقل عدد هو {count}.',
  'tooFewRows.other': 'يرجى إضافة إدخالات: أقل عدد هو {count}.',
  'tooManyRows.one': 'يرجى إزالة إدخالات: أكبر عدد هو {count}.',
  'tooManyRows.other': 'يرجى إزالة إدخالات: أكبر عدد هو {count}.',

  heightMissing: 'يرجى إدخال الطول أيضا.',
  weightMissing: 'يرجى إدخال الوزن أيضا.',
  heightNotNumber: 'يرجى إدخال الطول رقما.',
  weightNotNumber: 'يرجى إدخال الوزن رقما.',
  heightBetween: 'يرجى إدخال الطول من {min} إلى {max} سم.',
  weightBetween: 'يرجى إدخال الوزن من {min} إلى {max} كغ.',

  notFile: 'يرجى اختيار الملف مرة أخرى.',
  otherFile: 'يرجى اختيار الملف مرة أخرى.',
  fileType: 'يرجى اختيار ملف من هذا النوع: {types}.',
  fileSize: 'يرجى اختيار ملف لا يزيد حجمه على {size}.',
}
