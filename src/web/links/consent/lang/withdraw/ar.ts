import type { TextsLike } from '#web/kit/language/catalogue'
import type { withdraw as en } from './en'

/** The texts of the withdrawal of a consent in Arabic. */
export const withdraw: TextsLike<typeof en> = {
  'withdraw.title': 'سحب موافقتك',
  'withdraw.lead': 'يمكنك سحبها في أي وقت، من دون ذكر سبب ومن دون أي ضرر عليك. شكرًا على ما قدّمته للدراسة.',
  'withdraw.how': 'أدخل العنوان الذي أكّدته عند إعطاء موافقتك. نرسل إليه رمزًا.',
  'withdraw.help': 'إن لم تؤكّد عنوانًا أو لم يعد لديك، فأخبر فريق الدراسة بأنك تريد سحب موافقتك.',
  'withdraw.sent': 'إن كان أحد قد أعطى موافقته بالعنوان {address}، فإن رمزًا في الطريق إليه. يصلح لمدة 10 دقائق.',
  'withdraw.spokenNote': 'إن لم تصل رسالة، فالدراسة لا ترسل رسائل بنفسها: يُرجى سؤال فريق الدراسة عن رمز {address}.',
  'withdraw.none': 'لم تُعطَ أي موافقة بهذا العنوان',
  'withdraw.noneNote': 'ربما استخدمت عنوانًا آخر. يمكن لفريق الدراسة مساعدتك.',
  'withdraw.which': 'أي موافقة تريد سحبها؟',
  'withdraw.yours': 'موافقاتك',
  'withdraw.given': '{name}، أُعطيت في {day}',
  'withdraw.givenOn': 'أُعطيت في {day}',
  'withdraw.before': 'سُحبت في {day}',
  'withdraw.reason': 'هل تودّ إخبارنا بالسبب؟',
  'withdraw.reasonNote': 'لا يلزمك ذلك. يقرؤه فريق الدراسة.',
  'withdraw.data': 'ماذا تريد أن يحدث لبياناتك؟',
  'withdraw.keep': 'الاحتفاظ بها',
  'withdraw.keepNote': 'تواصل الدراسة استخدام ما قدّمته حتى الآن.',
  'withdraw.erase': 'محو ما يدل على هويتي',
  'withdraw.eraseNote': 'يُمحى اسمك وعناوينك وغيرها من بياناتك الشخصية. تبقى إجاباتك من دونها.',
  'withdraw.delete': 'حذف إجاباتي',
  'withdraw.deleteNote': 'تُحذف الإجابات التي قدّمتها.',
  'withdraw.still': 'لقد قدّمت موافقة أخرى على هذه الدراسة. اسحبها أيضًا كي يمكن حذف بياناتك.',
  'withdraw.send': 'سحب موافقتي',
  'withdraw.choose': 'يُرجى اختيار واحدة على الأقل.',
  'withdraw.all': 'لقد سحبت كل شيء من قبل',
  'withdraw.done': 'سُحبت موافقتك',
  'withdraw.doneNote':
    'شكرًا على الوقت والثقة اللذين منحتهما للدراسة. يعرف فريق الدراسة ذلك الآن، ويخبرك بما سيحدث بعد ذلك. يمكنك إغلاق هذه الصفحة.',
  'withdraw.ended': 'استغرق هذا وقتًا طويلًا',
  'withdraw.endedNote': 'حفاظًا على سلامتك تعمل الصفحة ساعة واحدة. لم يُسحب شيء. يُرجى البدء من جديد.',
}
