// Asks again while the server is busy, but not before it said so.

const BUSY = {
	en:	"Busy 🐢, asking again in",
	ja:	"混み合っています 🐢　再試行まで",
};

export async function ask(url: string, lang: keyof typeof BUSY = "en"): Promise<Response> {
	for (let attempt = 0; attempt < 5; attempt++) {
		const answer = await fetch(url);
		if (answer.status !== 429) return answer;
		const seconds = Number(answer.headers.get("retry-after") ?? 2 ** attempt);
		console.info(`${BUSY[lang]} ${seconds} s`);
		await pause(1000 * seconds * (1 + 0.2 * Math.random()));
	}
	throw new Error("Too many requests");
}

function pause(ms: number): Promise<void> {
	return new Promise((done) => setTimeout(done, ms));
}
