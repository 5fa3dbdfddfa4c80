// Asks again while the server is busy.

export async function ask(url: string): Promise<Response> {
	for (let attempt = 0; attempt < 5; attempt++) {
		const answer = await fetch(url);
		if (answer.status !== 429) return answer;
		await pause(1000);
	}
	throw new Error("Too many requests");
}

function pause(ms: number): Promise<void> {
	return new Promise((done) => setTimeout(done, ms));
}
