/** English words that say nothing about a subject. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'a about again all also am an and any are as at be been before being but by can could did do does done for from get gets',
    'go had has have having he her hers him his how i if in into is it its just like may me might more most my no nor not of on',
    'or our out over please shall she should so some such tell than that the their them then there these they this those to too',
    'under until up us use used very want wants was we were what when where which while who whom whose why will with would you',
    'your s t m re ll ve d',
  ].flatMap((line) => line.split(' ')),
);

/** German words that say nothing about a subject, without accents. */
export const GERMAN_STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den denn der des die dies diese diesem',
    'diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas euch euer fur gegen gib gibt hab habe haben',
    'hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes kann kein keine',
    'kannst konnen mal man mein meine meinem meinen meiner mich mir mit nach nicht noch nun nur ob oder ohne sehr sein seine',
    'seinem seinen seiner sich sie sind so soll sollen sollte uber um und uns unser unsere unter vom von vor wann war waren warum',
    'was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde werden wie wieder will wir wird wo worden wurde',
    'wurden zu zum zur',
  ].flatMap((line) => line.split(' ')),
);

/** The words of both languages. A query of such words alone is searched as it is. */
export const STOP_WORDS: ReadonlySet<string> = ENGLISH_STOP_WORDS.union(GERMAN_STOP_WORDS);
