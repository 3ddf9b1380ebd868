import { type ClaimLanguage, type ClaimWords, FILE_NAME, opening, without, words } from './claim-words.ts';

const ADVERBS =
  'now|just|already|also|both|then|gladly|happily|finally|officially|hereby|all|successfully|safely|duly|kindly|promptly|automatically|immediately|gone ahead and|went ahead and|been able to|indeed';
const ADV = `(?: (?:${ADVERBS}))*`;
const I = "(?:i|we|your assistant)(?:'ve| have| has|'d| had)?";
const AND = '(?:and|&)(?: have| has| had)?';
const IS = "(?: has been| have been| has now been| have now been| is| are| was| were|'s been|'s| got| is all| are all)";
const GREETINGS =
  'ok|okay|done|great|perfect|sure|all set|all done|good news|success|confirmed|yes|certainly|update|status';
const WITHOUT_VERB = without(
  "that|which|who|whom|you|he|she|they|somebody|someone|not|never|no|will|would|can|could|should|may|might|must|be|being|is|are|was|were|has|have|had|to|[\\p{L}]+n't|cannot",
  60,
);
/** "The mail Anna sent is long": what somebody else did with it is no headline. "… sent while she is away" begins another clause. */
const NO_PREDICATE =
  '(?!(?:(?! (?:and|but|who|which|that|what|because|as|since|so|when|while|where|before|after|until|unless|if|it|he|she|they|we|i|you)(?![\\p{L}])| [(–—-])[^,;:!?]){0,60}? (?:is|are|was|were|has|says?|said|contains?|asks?|asked|looks?|seems?|mentions?|needs?|does|did)(?![\\p{L}]))';
const NO_NEGATION = '(?:(?!(?:no|not|neither|never|nor|without|any|once|if|when)(?![\\p{L}]))[\\p{L}-]+ )?';

/** Words that may stand between a verb and its object. */
const object = (nouns: string) =>
  `(?: (?!(?:of|for|about|on|to|in|with|from|drafts?|summary|list|agenda|outline|proposal|and)\\b)[\\w'-]+){0,4}? (?:${nouns})`;

function patterns({ nouns, strong, weak, places }: ClaimWords) {
  const verbs = strong === '' ? weak : `${strong}|${weak}`;
  const place = `(?:in|on|to|into|as|under|onto) (?:(?:a|an|the|your|my|our|this|new|shared) )*(?:[\\w-]+ )?(?:${places})`;
  return [
    ...(strong === '' ? [] : [{ pattern: words(`(?:${I}|${AND})${ADV} (?:${strong})`) }]),
    { pattern: words(`(?:${I}|${AND})${ADV} (?:${weak})${object(nouns)}`) },
    { pattern: words(`(?:${nouns})(?![\\p{L}])(?:[^;!?:]{0,80}?)(?<! (?:that|which|who))${IS}${ADV} (?:${verbs})`) },
    ...(strong === '' ? [] : [{ pattern: words(`(?:it|this|everything|they)${IS}${ADV} (?:${strong})`) }]),
    ...(strong === '' ? [] : [{ pattern: words(`you(?:'re| are)${ADV} (?:${strong})`) }]),
    ...(places === ''
      ? []
      : [
          { pattern: words(`(?:${I}|${AND})${ADV} (?:${verbs}) [^;!?:]{0,80}?${place}`) },
          { pattern: words(`[\\p{L}']+(?<!\\b(?:that|which|who))${IS}${ADV} (?:${verbs}) [^;!?:]{0,60}?${place}`) },
          { pattern: words(`(?:it|this|that|(?:the|your) (?:${nouns}))(?:'s| is| are)${ADV} ${place}`) },
        ]),
    {
      pattern: opening(
        GREETINGS,
        // "Mail sent to the team that needs it": nobody else can have sent it.
        `(?:(?!(?:the|this|that|your|my|our|an?) )${NO_NEGATION}(?:${nouns}) (?:${verbs})(?![\\p{L}])|` +
          `(?:the |your |a )?${NO_NEGATION}(?:${nouns})${WITHOUT_VERB} (?:${verbs})(?![\\p{L}])${NO_PREDICATE})`,
      ),
      isShort: true,
    },
    ...(strong === '' ? [] : [{ pattern: opening(GREETINGS, `(?:${strong})`), isShort: true }]),
  ];
}

const MEETINGS =
  'meeting|call|appointment|event|session|lunch|dinner|breakfast|coffee|interview|demo|slot|calendar entry|calendar invite|invite|invitation|conference|consultation|visit|get-together|video call|phone call|booking';

/** Claims in English. */
export const ENGLISH: ClaimLanguage = {
  language: 'en',
  patterns,
  words: {
    'meeting-scheduled': {
      nouns: MEETINGS,
      strong:
        'scheduled|rescheduled|booked|calendared|pencill?ed in|managed to schedule|managed to book|(?:was|were) able to (?:schedule|book)',
      weak: 'added|created|set up|set|arranged|placed|put|entered|blocked|reserved|saved|confirmed|planned|fixed|organi[sz]ed|moved|inserted|made|finali[sz]ed',
      places: 'calendar|diary|agenda',
      others: 'reminders?|drafts?|e-?mails?|mails?|messages?|tasks?|to-?dos?|backups?|flights?|hotels?|newsletters?',
    },
    'reminder-set': {
      nouns: 'reminders?|alarm|alert',
      strong: '',
      weak: 'set|created|added|scheduled|saved|put|placed|made|set up',
      places: '',
      others: 'drafts?',
    },
    'mail-sent': {
      nouns:
        'e-?mails?|mails?|messages?|reply|replies|response|answer|letter|invitations?|invites?|confirmation|note|draft',
      strong:
        'sent|resent|re-sent|e-?mailed|mailed|replied|forwarded|responded|dispatched|messaged|sent out|sent off|fired off|written to|wrote to|reached out|let (?!you\\b|me\\b|us\\b)[\\p{L}]+ know|(?:notified|informed|contacted)(?! you\\b)|managed to send|(?:was|were) able to send',
      weak: 'delivered|transmitted|submitted|shared|on its way|on their way|gone out',
      places: '',
      others: 'not sent|(?:that|which|who) (?:was|were|is|are|has been)',
    },
    'file-written': {
      nouns: `files?|documents?|notes?|notebook|page|spreadsheet|${FILE_NAME}`,
      strong: '',
      weak: 'written|wrote|saved|created|stored|updated|edited|added|exported|generated|produced|put|placed|recorded',
      places: `file|document|notebook|folder|notes|disk|${FILE_NAME}`,
      // A folder may have the name: "I wrote it to drafts/a.md".
      others: 'drafts?(?!/)|calendar|mailbox|inbox|workspace|reminders?',
    },
  },
  before: [
    /(?<![\p{L}])(?:if|once|when|whenever|until|unless|as soon as|whether|in case|after|before|no|neither|nor|none of|without|not|never|of any)\s+(?:(?:the|your|a|an|any|this|that|our|all|new|calendar)\s+)*$/u,
    /(?:not|n't|never|cannot)\s(?:[\p{L}']+\s){0,3}?(?:think|believe|confirm|say|see|know|sure|true|find|claim|verify|tell|mean|certain)(?![\p{L}])[^,;]*$/u,
    /^(?!.*(?<![\p{L}'])(?:i|we)(?![\p{L}])).*(?<![\p{L}])(?:says?|said|writes?|wrote|told [\p{L}]+|mentions?|mentioned|claims?|claimed|reports?|reported|asks?|asked|confirms|replied)(?: me| us| you)?(?: that)?[: "“]*(?:(?:the|your|a|an|this|that|our)\s)*$/u,
    /(?<![\p{L}])according to(?![\p{L}])/u,
    // "Your last mail was sent on Monday."
    /(?<![\p{L}])(?:last|previous|earlier|original)\s+$/u,
  ],
  after:
    /^[^,;]{0,60}?(?<![\p{L}])by (?!me(?![\p{L}])|us(?![\p{L}])|your assistant|the assistant|now|then|\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|e-?mail|mail|phone)/u,
};
